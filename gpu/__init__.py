"""What the silicon says: kernels, the probes that launch them, and the recorded observations.

    crosscheck     a retile through real ldmatrix and mma, register by register, with a negative control
    banks          wavefronts and bank conflicts of single accesses, counted by Nsight Compute
    observations   what a machine was seen to do, as data, replayed where there is no GPU

The package is installed as `symlayout.gpu` and lies beside `symlayout/` in the checkout. It is a leaf: it
imports symlayout, and nothing in symlayout imports it statically. It needs neither z3 nor lark, and CuPy
only on the machine with the GPU; the emulator backend runs the same path anywhere, and is no hardware.
"""
