// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Operations on buffers, images and shared memory: their operands, results and meaning.
//
//   operation      operands                                        results
//   load_buffer    offset, [index]                                 words (1 to 4) of 32 bits
//   store_buffer   offset, [index], words values of 32 bits        none
//   atomic_buffer  offset, [index], [compare], value               the old value, i32
//   buffer_size    [index]                                         bytes of the bound range, i32
//   load_image     coordinates, [index]                            four of 32 bits
//   store_image    coordinates, [index], four values of 32 bits    none
//   atomic_image   coordinates, [index], [compare], value          the old value, i32
//   image_size     [index]                                         as many as coordinates (cube: 2), i32
//   barrier                                                        none
// Coordinates: image.h.
//
// A slot has a range: of a bound buffer, or the workgroup's shared memory. The range of an unbound slot has
// size 0. The slot is the binding, plus the index if there is one; an index that is not below `count` selects
// an unbound slot. Word n of an access is at byte (offset + offset_B) mod 2^32 rounded down to a multiple of
// 4, plus 4 * n. A word that is not entirely within its slot's range is loaded as 0 and not stored; an atomic
// there changes nothing and returns 0. Nothing outside a range is accessed. A device may store none of
// several words if one of them is not within the range. Stores of less than a word (element_B) are checked
// for the bytes that they write, at offsets that are not rounded; only drivers' own shaders have them, of one
// word.
// Coordinates outside an image's level and layers load zeros and store nothing.
// An image's size is width, height, then slices or layers (of a cube array: cubes); zeros if none is bound.
//
// Inactive lanes do nothing. Helpers load, since derivatives need their values, but store nothing; their
// atomics return 0. An invocation sees its own loads and stores in program order. Others see its stores after
// a barrier, or the end of the draw or dispatch. The order of the lanes of one instruction is undefined.
// Atomics are atomic among all invocations of the device.
//
// What passes may do: Uniform blocks do not change while a shader runs, so their loads may be moved, merged,
// speculated and removed. Other loads may be removed unless they are volatile. They may not be moved across
// stores, atomics and barriers, or merged with loads on the other side of these. Stores, atomics and barriers
// are never removed, duplicated or moved.
#pragma once

#include <cstdint>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

[[nodiscard]] constexpr bool is_memory(Op op) {
    return op >= Op::LoadBuffer && op <= Op::Barrier;
}
[[nodiscard]] constexpr bool is_image(Op op) {
    return op >= Op::LoadImage && op <= Op::ImageSize;
}
/// Whether the operation changes memory.
[[nodiscard]] constexpr bool writes_memory(Op op) {
    return op == Op::StoreBuffer || op == Op::AtomicBuffer || op == Op::StoreImage || op == Op::AtomicImage;
}

/// The index of each operand (-1: absent), and the number of operands.
struct MemOperands {
    int place = -1;       // the offset, or the first coordinate
    int place_count = 0;  // an array layer is the last coordinate
    int index = -1;
    int value = -1;  // the first; of a compare-exchange the one to compare with
    int value_count = 0;
    int count = 0;
};
[[nodiscard]] MemOperands mem_operands(Op op, const MemInfo& m);
[[nodiscard]] unsigned mem_result_count(Op op, const MemInfo& m);

/// A slot's memory. Aligned to 4 bytes.
struct MemoryRange {
    uint8_t* data = nullptr;
    uint32_t size_B = 0;
};

/// One instruction on buffers for some lanes. Rows have a word a lane.
struct BufferAccess {
    Op op = Op::LoadBuffer;
    const MemInfo* info = nullptr;
    const MemoryRange* slots = nullptr;  // of the binding and the next info->count - 1
    unsigned lanes = 0;
    uint64_t mask = 0;  // lanes that access it
    const uint32_t* offset = nullptr;
    const uint32_t* index = nullptr;  // null: none
    const uint32_t* value[4] = {};
    uint32_t* out[4] = {};  // rows to fill; those of lanes outside `mask` get 0
};
/// The meaning of LoadBuffer, StoreBuffer, AtomicBuffer and BufferSize. Any number of threads at once.
void access_buffer(const BufferAccess& a);

/// Executes the atomic on a word and returns the old value. Null: does nothing and returns 0.
uint32_t exchange(uint32_t* word, MemOp op, uint32_t compare, uint32_t value);
/// The value that an atomic stores in place of `old`.
[[nodiscard]] uint32_t apply(MemOp op, uint32_t old, uint32_t compare, uint32_t value);

}  // namespace terrazzo::ir
