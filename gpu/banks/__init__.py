"""Bank conflicts of single accesses to shared memory, predicted and counted by Nsight Compute."""
