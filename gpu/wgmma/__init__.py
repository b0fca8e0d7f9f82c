"""The fragments of `wgmma.mma_async`, found out from the hardware."""
