"""CuTe itself on the device: its layouts, registers and products against the prediction."""
