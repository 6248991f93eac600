"""Checked conversion of arguments to arrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from jungletb._errors import PositionError

Mask = npt.NDArray[np.bool_]
NO_MASK: Mask = np.zeros(0, dtype=np.bool_)


def numbers(values: npt.ArrayLike, what: str) -> npt.NDArray[np.uint8]:
    """Converts numbers to bytes; rejects any that do not fit. Masked values may be any number."""
    masked = _mask(values)
    array = np.ma.getdata(values) if masked.size else np.asarray(values)
    if array.size == 0:
        return array.astype(np.uint8)
    if array.dtype == np.uint8:
        return array
    if array.dtype.kind not in "iu":
        raise PositionError(f"{what} must be whole numbers, not {array.dtype}")
    if masked.any():
        array = np.where(masked, 0, array)
    if array.min() < 0 or array.max() > 255:
        raise PositionError(f"{what} must be numbers from 0 to 255, but they go from {array.min()} to {array.max()}")
    return array.astype(np.uint8)


def rows_and_sides(
    squares: npt.ArrayLike, to_move: npt.ArrayLike, *, may_be_masked: bool
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], Mask]:
    """Converts rows of squares and sides to move; the mask has one flag per row, or is empty."""
    squares, to_move = _joined(squares), _joined(to_move)
    if not may_be_masked:
        refuse_masked(squares, "squares")
        refuse_masked(to_move, "to_move")
    rows = numbers(squares, "squares")
    if rows.ndim != 2:
        raise PositionError(f"squares must have the shape (positions, pieces), not {rows.shape}")
    sides = numbers(to_move, "to_move")
    if sides.ndim > 1:
        raise PositionError(f"to_move must be one number or have the shape ({len(rows)},), not {sides.shape}")
    masked = [mask for mask in (_mask(squares), _mask(to_move)) if mask.size and mask.any()]
    if sides.ndim == 0:
        sides = np.full(len(rows), sides, dtype=np.uint8)
    if not masked or len(sides) != len(rows):
        return rows, sides, NO_MASK
    mask = np.zeros(len(rows), dtype=np.bool_)
    for one in masked:
        mask |= one.any(axis=1) if one.ndim == 2 else one
    return rows, sides, mask


def texts(positions: Iterable[str], *, may_be_masked: bool = False) -> tuple[bytes, int, Mask]:
    """Converts positions to lines of text; the mask has one flag per position, or is empty."""
    if isinstance(positions, str):
        raise TypeError("positions must be several texts; for one, there is value()")
    mask = NO_MASK
    if isinstance(positions, np.ndarray):
        if positions.ndim != 1:
            raise PositionError(f"positions must have the shape (positions,), not {positions.shape}")
        if not may_be_masked:
            refuse_masked(positions, "positions")
        if _mask(positions).any():
            mask = _mask(positions)
        positions = np.ma.getdata(positions).tolist()
    items = list(positions)
    if mask.size:
        # What is masked need not be a text.
        items = ["" if masked else item for item, masked in zip(items, mask.tolist())]
    lines = "\n".join(items)
    if items and lines.count("\n") != len(items) - 1:
        # Within a position, a line break is as good as a blank.
        lines = "\n".join(item.replace("\n", " ") for item in items)
    return lines.encode(), len(items), mask


def refuse_masked(values: Any, what: str) -> None:
    """Rejects arrays with masked values where only positions make sense."""
    masked = int(np.count_nonzero(_mask(_joined(values))))
    if masked:
        plural = "" if masked == 1 else "s"
        raise PositionError(f"{what} has {masked} masked value{plural}: leave rows out, or fill by numpy.ma.filled")


def _joined(values: Any) -> Any:
    """Joins a list of arrays, of which some are masked, to one masked array."""
    is_list = isinstance(values, (list, tuple))
    return np.ma.array(values) if is_list and any(isinstance(one, np.ma.MaskedArray) for one in values) else values


def _mask(values: Any) -> Mask:
    """The mask of a masked array, in its shape; empty for other values."""
    if not isinstance(values, np.ma.MaskedArray):
        return NO_MASK
    return np.ma.getmaskarray(values)
