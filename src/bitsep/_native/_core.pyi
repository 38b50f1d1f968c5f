"""The native core of bitsep: counting, complexity, tests and searches."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


def wait_for_native_calls() -> None:
    """Stop calls of other threads and wait for their return."""

def log2_regret(n: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], k: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """log2 of the multinomial regret C(n, k), element by element."""

def chi_square_tail(x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], df: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Upper tail of the chi-square distribution, element by element."""

def chi_square_quantile(alpha: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], df: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """The value whose upper tail is alpha, element by element."""

def domain_product(sizes: Sequence[int]) -> float:
    """The product of domain sizes in any order, at most 1e280."""

def rounded_score(score_bits: float, n: int) -> float:
    """A score on the grid that makes ties exact."""

def zero_bits(n: int) -> float:
    """A score up to this is zero within rounding."""

def available_kernels() -> list[str]:
    """Names of the counting kernels this machine can run, best first."""

def active_kernel() -> str:
    """Name of the counting kernel in use."""

def force_kernel(name: str) -> None:
    """Use this kernel from now on; an empty name chooses the best again."""

def level_counts(codes: Annotated[NDArray, dict(shape=(None,), order='C', device='cpu', writable=False)], n_levels: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """How often each code occurs; the last entry counts the missing (-1)."""

def recoded(codes: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], table: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int8], dict(shape=(None,))]:
    """Every code replaced by what the table has for it; missing ones stay."""

class Codes:
    """The level codes of a column: a copy that cannot be written to."""

    def __init__(self, codes: Annotated[NDArray, dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def array(self) -> NDArray[numpy.signedinteger]:
        """A read-only view of them."""

class Table:
    """Columns of level codes, ready to be counted; arrays are copied."""

    def __init__(self, codes: Sequence[Codes | Annotated[NDArray, dict(shape=(None,), order='C', device='cpu', writable=False)]], levels: Sequence[int], rows: int, weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, cache_bytes: int = 100663296) -> None: ...

    @property
    def rows(self) -> int: ...

    def counts(self, x: int, y: int, z: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
        """Occupied cells as (stratum, x, y, count), in canonical order."""

    def add_dense_counts(self, x: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given: tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], cell_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], cells: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
        """
        Add the counts of each query, all cells [strata][x][y], to its part of `cells`: chunk by chunk.
        """

    def way(self, x: int, y: int, z: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> str:
        """How the cost model would count this test."""

    def evaluate(self, test: Test | None, x: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given: tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], threads: int, progress: object | None) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """Make every test; the records as bytes."""

    def separate(self, test: Test | None, x: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], first: tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], second: tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]] | None, always: tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]] | None, min_size: int, max_size: int, stop_at_first: bool, threads: int, progress: object | None) -> tuple:
        """Search a separator for every task."""

    def search(self, test: Test | None, search: SkeletonSearch, threads: int, stage: object | None) -> None:
        """
        Run a search for a skeleton; stage(size), if any, gives the progress callback of a size.
        """

    def score(self, score: Score, variables: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], parents: tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], threads: int, progress: object | None) -> tuple:
        """
        The bits of every variable given its parents, and the rows they encode.
        """

    def search_orders(self, score: Score, structure_bits: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], forbidden: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, required: Sequence[Sequence[int]], min_effect: float, starts: int, seed: int, domain_sizes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, threads: int, progress: object | None) -> tuple[list[list[int]], list[float], int]:
        """
        The best DAG found over orders: parents and bits of each variable, and the number of scores computed.
        """

    def climb(self, score: Score, structure_bits: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], forbidden: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, required: Sequence[Sequence[int]], min_effect: float, start: Sequence[Sequence[int]], tabu: int, threads: int, progress: object | None) -> tuple[list[list[int]], list[float], int]:
        """
        The best DAG found by hill climbing: parents and bits of each variable, and the number of scores computed.
        """

class Option:
    """An option of a test or a score."""

    @property
    def name(self) -> str: ...

    @property
    def choices(self) -> list[str]:
        """The words allowed, the default first; none: a number."""

    @property
    def number(self) -> float:
        """The default of a number."""

class TestEntry:
    """A test in the list of all."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def family(self) -> str: ...

    @property
    def options(self) -> list[Option]: ...

def tests() -> list[TestEntry]:
    """All tests, by family."""

class Test:
    """A test with its options."""

    def __init__(self, name: str, alpha: float | None = None, options: Mapping[str, str | float] = {}, min_effect: float = 0.0) -> None: ...

    @staticmethod
    def by_permutation(name: str, alpha: float | None, options: Mapping[str, str | float], permutations: int, seed: int, sequential: bool) -> Test:
        """The test by permutation: its score among tables with the same margins."""

    @property
    def alpha(self) -> float | None:
        """The alpha in force; None where the test does not use one."""

    def of_counts(self, kx: int, ky: int, product_z: float, stratum: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], x: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], count: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """The record of counts made elsewhere, in canonical order."""

    def of_dense_counts(self, kx: int, ky: int, product_z: float, cells: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """The record of dense counts made elsewhere, all cells [strata][x][y]."""

    def on(self, table: Table, x: int, y: int, z: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], way: str = 'automatic') -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """The record of one test, counted in a given way."""

    def evidence(self, record: bytes) -> tuple[float | None, float | None]:
        """
        The p-value and the no-hypercompression bound of a record, None where it has none.
        """

    def p_values(self, records: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The p-value of each record, NaN where the test has none."""

    def hypercompression_bounds(self, records: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        The no-hypercompression bound of each record, NaN where the test has none.
        """

class PermutedTables:
    """Random tables with the margins of given counts."""

    def __init__(self, stratum: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], x: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], count: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int) -> None: ...

    def draw(self) -> tuple:
        """
        The occupied cells of the next table (stratum, x, y, count), in canonical order.
        """

class SkeletonSearch:
    """The skeleton of PC-stable: which pairs no set separates."""

    def __init__(self, variables: int, untested: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, excluded: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, not_parent: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, max_given: int | None, most: int, stop_at_first: bool) -> None: ...

    def ask(self, separate: Callable) -> None:
        """
        Run; separate(size, x, y, first, second) answers a batch with what the `separate` of a table gives.
        """

    def adjacent(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """The matrix of the pairs still joined, row by row."""

    @property
    def variables(self) -> int:
        """How many there are."""

    @property
    def tests(self) -> int:
        """Tests made."""

    def __len__(self) -> int: ...

    def batch(self, number: int) -> tuple:
        """The size of the sets, the numbers of the pairs, and what was found."""

    def colliders(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The v-structures a → c ← b as a, c, b, one after the other."""

class Dag:
    """A known DAG that answers by d-separation."""

    def __init__(self, nodes: int, from_: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], to: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def evaluate(self, test: Test | None, x: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], given: tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], threads: int, progress: object | None) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """Make every test; the records as bytes."""

    def separate(self, test: Test | None, x: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], first: tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], second: tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]] | None, always: tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]] | None, min_size: int, max_size: int, stop_at_first: bool, threads: int, progress: object | None) -> tuple:
        """Search a separator for every task."""

    def search(self, test: Test | None, search: SkeletonSearch, threads: int, stage: object | None) -> None:
        """
        Run a search for a skeleton; stage(size), if any, gives the progress callback of a size.
        """

class ScoreEntry:
    """A score in the list of all."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def equivalent(self) -> bool:
        """Whether all DAGs of a class have the same total."""

    @property
    def options(self) -> list[Option]: ...

def scores() -> list[ScoreEntry]:
    """All scores."""

class Score:
    """A score with its options."""

    def __init__(self, name: str, options: Mapping[str, str | float] = {}) -> None: ...

    def of_counts(self, kx: int, ky: int, product_z: float, stratum: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], x: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], count: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[float, int]:
        """
        The bits of y given x and the strata, and the rows, of counts made elsewhere.
        """

    def of_dense_counts(self, kx: int, ky: int, product_z: float, cells: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[float, int]:
        """The same of dense counts, all cells [strata][x][y]."""

def search_orders(variables: int, rows: int, score: object, structure_bits: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], forbidden: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, required: Sequence[Sequence[int]], min_effect: float, starts: int, seed: int, domain_sizes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, progress: object | None) -> tuple[list[list[int]], list[float], int]:
    """
    The same as Table.search_orders with scores from score(variables, offsets, parents) -> (bits, rows).
    """

def climb(variables: int, rows: int, score: object, structure_bits: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], forbidden: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, required: Sequence[Sequence[int]], min_effect: float, start: Sequence[Sequence[int]], tabu: int, progress: object | None) -> tuple[list[list[int]], list[float], int]:
    """
    The same as Table.climb with scores from score(variables, offsets, parents) -> (bits, rows).
    """
