// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Why memory that others allocated cannot be a resource: one cause, one value, one sentence.
#pragma once

#include <cstdint>

namespace terrazzo::pipe {

enum class ImportStatus : uint8_t {
    Ok,
    NotShared,       // the descriptor
    Modifier,        // of the image
    Kind,            // of the resource
    Offset,          // where it begins
    StrideTooSmall,  // for a row
    StrideUnsuited,  // for the device's alignment, or for drawing
    TooSmall,        // the memory, for what shall lie there
    Unwritable,      // the memory, and the resource shall be drawn to
    OutOfMemory,
};

/// Continues "cannot be imported: ".
[[nodiscard]] constexpr const char* import_status_text(ImportStatus s) {
    switch (s) {
        case ImportStatus::Ok:
            return "nothing is wrong";
        case ImportStatus::NotShared:
            return "its descriptor is no dma-buf or memfd that the device can map";
        case ImportStatus::Modifier:
            return "the device does not know its modifier";
        case ImportStatus::Kind:
            return "the device shares no image of its format, size and kind";
        case ImportStatus::Offset:
            return "its offset is not aligned as the device needs it";
        case ImportStatus::StrideTooSmall:
            return "its pitch is less than a row";
        case ImportStatus::StrideUnsuited:
            return "its pitch is not aligned as the device needs it";
        case ImportStatus::TooSmall:
            return "it ends outside its memory";
        case ImportStatus::Unwritable:
            return "its memory may not be written";
        case ImportStatus::OutOfMemory:
            return "out of memory";
    }
    return "";
}

/// Memory of others: a range of a dma-buf, or of a memfd where there is no kernel for dma-bufs. The descriptor stays the caller's.
struct MemoryRange {
    int fd = -1;
    uint64_t offset_B = 0, size_B = 0;
};

}  // namespace terrazzo::pipe
