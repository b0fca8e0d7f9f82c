"""The partitions of all threads at once are those that CuTe names thread by thread."""

from __future__ import annotations

import pytest

from gpu.cases import ARTICLE, LAYOUTS, SILENT_FAILURES
from gpu.cases_of_c import EPILOGUES, FLOAT
from gpu.configuration import Configuration
from gpu.maps import table
from gpu.partition import of_copy, of_mma

REORDERED = Configuration(FLOAT, "SM75_U32x4_LDSM_N", "A", atoms="(2,2,1):(2,1,4)")


@pytest.mark.parametrize(
    "configuration", [*ARTICLE, *SILENT_FAILURES, *LAYOUTS, *EPILOGUES, REORDERED], ids=str
)
def test_the_tables_are_the_partitions(configuration: Configuration) -> None:
    mma, copy, operand, tensor, _ = configuration.objects()
    held, source, destination = of_mma(mma, operand, tensor), *(of_copy(copy, s, tensor) for s in "SD")
    for t in range(copy.num_thr):
        part, slice_ = mma.get_slice(t).partition(operand, tensor), copy.get_slice(t)
        assert (table(part.layout) + part.offset == held[t]).all()
        for side, part in ((source, slice_.partition_S(tensor)), (destination, slice_.partition_D(tensor))):
            assert (table(part.layout) + part.offset == side[t]).all()
