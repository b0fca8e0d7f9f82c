"""What the silicon says: kernels, the probes that launch them, and the recorded observations.

    crosscheck   a retile through real ldmatrix, stmatrix and mma, place by place, with a negative control
    discovery    the fragments of every instruction, from the hardware alone; wgmma in `wgmma`
    banks        wavefronts and bank conflicts of single accesses, counted by Nsight Compute
    campaign     thousands of random mutants: prover and machine must agree on each
    equality     two layouts, compared at every coordinate
    cute         CuTe itself, compiled and asked
    observations, records, replay    what a machine was seen to do, as data, replayed where there is no GPU

The package is installed as `symlayout.gpu` and lies beside `symlayout/` in the checkout. It is a leaf: it
imports symlayout, and nothing in symlayout imports it statically. It needs neither z3 nor lark, and CuPy
only on the machine with the GPU; the emulator backend runs the same path anywhere, and is not hardware.
"""
