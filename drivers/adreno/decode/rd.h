// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Files of the freedreno tools (.rd), which record a kernel driver's input: sections of {u32 type, u32 size
// in bytes, data}, little-endian. Two words of ones between sections are padding. A buffer is an address
// section followed by a section with its contents. Source: Mesa 25.0.7,
// src/freedreno/decode/{redump.h,io.c,cffdump.c}.
#pragma once

#include <cstdint>
#include <span>

namespace terrazzo::adreno::decode {

enum class RdType : uint32_t {
    Test = 1,           // text
    Cmd = 2,            // text: the program
    GpuAddr = 3,        // the address of the contents that follow: u32 low, u32 size, u32 high
    CmdstreamAddr = 6,  // a submission: u32 low, u32 size in dwords, u32 high
    BufferContents = 12,
    GpuId = 13,   // u32: 630
    ChipId = 14,  // u64: 0x06030001
};

struct RdSection {
    RdType type{};
    std::span<const uint8_t> data;  // in the reader's file
    // GpuAddr: an address and a size in bytes; CmdstreamAddr: in dwords; GpuId, ChipId: the number.
    uint64_t va = 0;
    uint32_t size = 0;
    uint64_t id = 0;
};

/// Reads the sections of an uncompressed file in memory, which must outlive the reader. Sections of other
/// types are returned unchanged.
class RdReader {
  public:
    explicit RdReader(std::span<const uint8_t> file) : rest_(file) {}
    /// False: the end, or an error.
    [[nodiscard]] bool next(RdSection* out);
    /// The file's error; null: none.
    const char* error() const { return error_; }

  private:
    bool fail(const char* error);

    std::span<const uint8_t> rest_;
    const char* error_ = nullptr;
};

}  // namespace terrazzo::adreno::decode
