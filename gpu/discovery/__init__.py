"""What instructions do, found out from the hardware alone, and held against CuTe and the PTX ISA."""
