"""What the silicon says: the place of the kernels, the probes and the recorded observations.

The package is installed as ``symlayout.gpu`` and lies beside ``symlayout/`` in the checkout. It is a
leaf: it may import symlayout, and nothing in symlayout imports it statically. It holds no kernel yet,
so no verdict of this version rests on a run on hardware.
"""
