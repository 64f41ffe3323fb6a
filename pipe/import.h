// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reasons why imported memory cannot be a resource: one value and one sentence for each cause.
#pragma once

#include <cstdint>

namespace terrazzo::pipe {

enum class ImportStatus : uint8_t {
    Ok,
    NotShared,       // the descriptor's memory cannot be shared
    Modifier,        // the image's modifier is unknown
    Kind,            // the kind of the resource cannot be imported
    Offset,          // the offset is unaligned
    StrideTooSmall,  // the stride is smaller than a row
    StrideUnsuited,  // the stride is unaligned for the device, or for drawing
    TooSmall,        // the image ends outside the memory
    Unwritable,      // the memory is read-only, and the resource is to be drawn to
    OutOfMemory,
};

/// Completes the sentence "cannot be imported: ".
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

/// A range of imported memory: of a dma-buf, or of a memfd on machines without dma-bufs. The caller keeps the
/// descriptor.
struct MemoryRange {
    int fd = -1;
    uint64_t offset_B = 0, size_B = 0;
};

}  // namespace terrazzo::pipe
