"""Machine code out of object files, placed in memory without a linker: the kernels need none.

They are compiled in a form in which whatever is referred to is a whole address, and all that is to be done is to write
the addresses where they belong:

    content   sections of an object file, one behind the other
              … 48 b8 ········ ff d0 …         moves 8 bytes to a register, and calls what is there
                      ╰─ place             entry: where the kernel itself begins
    inner     pairs of a place, and of what in the content the address is written there
    outer     places of the address of what frees arrays that numba owns, of which kernels have none

The library that numba compiles with links as well, and takes a tenth of a second and up to 100 MB for it to be loaded.
It does so where this knows no way: on other processors than x86-64, or where memory may not be written and executed.
"""

import ctypes
import mmap
import struct
from collections.abc import Sequence
from importlib.util import find_spec
from io import BytesIO
from typing import Any, NamedTuple

DESTRUCTOR = "NRT_MemInfo_call_dtor"  # of arrays that numba owns
NOTHING = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)  # in its place
ALIGNMENT = 64  # of each section, which is that of the widest registers
PLACED, WHOLE_ADDRESS = "SHT_PROGBITS", 1  # sections that are, and references that can be; as ELF has them
IN_MEMORY = 2  # the flag of sections that are there when a program runs
HEADER, NUMBER = struct.Struct("<4q"), struct.Struct("<q")


class Code(NamedTuple):
    """The code of one kernel: see the module."""

    entry: int
    inner: Sequence[tuple[int, int]]
    outer: Sequence[int]
    content: bytes

    @classmethod
    def of_object(cls, name: str, content: bytes) -> "Code | None":
        """That of a function in an object file. None where it refers to more than is known here how to place."""
        if find_spec("elftools") is None:  # numba came without the extra `fast`
            return None
        from elftools.common.exceptions import ELFError  # noqa: PLC0415 (only what compiles needs it)
        from elftools.elf.elffile import ELFFile  # noqa: PLC0415

        try:
            file = ELFFile(BytesIO(content))
        except ELFError:
            return None
        return _Sections(file).code(name) if file.get_machine_arch() == "x64" else None

    def to_bytes(self) -> bytes:
        """As `of_bytes` reads it."""
        numbers = [number for pair in self.inner for number in pair] + list(self.outer)
        header = HEADER.pack(self.entry, len(self.inner), len(self.outer), len(self.content))
        return header + b"".join(map(NUMBER.pack, numbers)) + self.content

    @classmethod
    def of_bytes(cls, written: bytes) -> "Code":
        """What `to_bytes` wrote."""
        entry, inner, outer, size = HEADER.unpack_from(written)
        numbers = struct.unpack_from(f"<{2 * inner + outer}q", written, HEADER.size)
        pairs = tuple(zip(numbers[: 2 * inner : 2], numbers[1 : 2 * inner : 2], strict=True))
        return cls(entry, pairs, numbers[2 * inner :], written[len(written) - size :])


class _Sections:
    """Those of an object file that are placed in memory, and where."""

    def __init__(self, file: Any) -> None:
        self._sections = list(file.iter_sections())
        self._symbols = file.get_section_by_name(".symtab")
        self._starts: dict[int, int] = {}
        self.content = b""
        for number, section in enumerate(self._sections):
            if section["sh_type"] == PLACED and section["sh_flags"] & IN_MEMORY:
                self._starts[number] = len(self.content)
                data: bytes = section.data()
                self.content += data + bytes(-len(data) % ALIGNMENT)

    def code(self, name: str) -> Code | None:
        """The code of a function; None where that cannot be told."""
        entry = self._place(self._symbols.get_symbol_by_name(name)[0])
        inner: list[tuple[int, int]] = []
        outer: list[int] = []
        for table in self._sections:
            if table["sh_type"] != "SHT_RELA" or (start := self._starts.get(table["sh_info"])) is None:
                continue
            for reference in table.iter_relocations():
                symbol = self._symbols.get_symbol(reference["r_info_sym"])
                place, target = start + reference["r_offset"], self._place(symbol)
                if reference["r_info_type"] != WHOLE_ADDRESS:
                    return None
                if target is not None:
                    inner.append((place, target + reference["r_addend"]))
                elif (symbol.name, reference["r_addend"]) == (DESTRUCTOR, 0):
                    outer.append(place)
                else:
                    return None
        return None if entry is None else Code(entry, tuple(inner), tuple(outer), self.content)

    def _place(self, symbol: Any) -> int | None:
        """Where a symbol is; None for what is elsewhere, and for storage that is not made yet."""
        start = self._starts.get(symbol["st_shndx"])
        return None if start is None else start + int(symbol["st_value"])


class Placed:
    """Codes in memory, for as long as this lives. Raises OSError where memory may not be written and executed."""

    def __init__(self, codes: Sequence[Code]) -> None:
        self._memory = mmap.mmap(
            -1,
            sum(map(_room, codes)),
            flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS,
            prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC,
        )
        begin, freeing = (
            ctypes.addressof(ctypes.c_char.from_buffer(self._memory)),
            ctypes.cast(NOTHING, ctypes.c_void_p),
        )
        self.entries: list[int] = []
        start = 0
        for code in codes:
            self._memory[start : start + len(code.content)] = code.content
            for place, target in code.inner:
                NUMBER.pack_into(self._memory, start + place, begin + start + target)
            for place in code.outer:
                NUMBER.pack_into(self._memory, start + place, freeing.value)
            self.entries.append(begin + start + code.entry)
            start += _room(code)


def _room(code: Code) -> int:
    return -(-len(code.content) // ALIGNMENT) * ALIGNMENT
