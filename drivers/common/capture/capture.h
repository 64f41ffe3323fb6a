// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The file format of captures: the recorded input of a GPU. All numbers are little-endian.
//
//   8 bytes  "TRZCAP" 0x00 0x01 (the last: the version)
//   records  u32 type, u32 zero, u64 size in bytes of what follows, that, and zeros up to a multiple of 8:
//     1 chip    u32 vendor (Vendor), u32 gpu_id and u32 variant as the kernel reports them, u32 zero
//     2 memory  u64 va, bytes: from here on memory holds them there
//     3 submit  u64 va and u64 size in bytes of a command stream, u32 queue, u32 n, n u32: registers that it
//               begins with
//     4 note    text without a terminating zero: whatever the writer wants a reader to see
//     5 zeros   u64 va, u64 size in bytes (at most 2^28): from here on memory holds zeros there
// Readers skip unknown types. A record that does not fit into the file is an error, as is a size that its
// type cannot have.
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string_view>

namespace terrazzo::capture {

enum class Vendor : uint32_t { Mali = 1, Adreno = 2, Agx = 3 };
enum class RecordType : uint32_t { Chip = 1, Memory = 2, Submit = 3, Note = 4, Zeros = 5 };

inline constexpr uint64_t kMaxZeros_B = uint64_t(1) << 28;

struct Record {
    RecordType type{};
    // Chip
    Vendor vendor{};
    uint32_t gpu_id = 0;
    uint32_t variant = 0;
    // Memory, Zeros, Submit: the address
    uint64_t va = 0;
    std::span<const uint8_t> bytes;  // Memory, Note; in the reader's file
    // Zeros, Submit
    uint64_t size_B = 0;
    // Submit
    uint32_t queue = 0;
    std::span<const uint8_t> registers;  // 4 bytes each, unaligned

    uint32_t register_at(unsigned i) const;
    unsigned register_count() const { return unsigned(registers.size() / 4); }
};

/// Writes a capture to a file, which the caller owns. After a failed write, later calls do nothing.
class CaptureWriter {
  public:
    explicit CaptureWriter(std::FILE* file);
    void chip(Vendor vendor, uint32_t gpu_id, uint32_t variant);
    void memory(uint64_t va, std::span<const uint8_t> bytes);
    /// At most kMaxZeros_B.
    void zeros(uint64_t va, uint64_t size_B);
    void submit(uint64_t va, uint64_t size_B, uint32_t queue, std::span<const uint32_t> registers);
    void note(std::string_view text);
    /// Whether all writes succeeded, as far as the C library knows.
    [[nodiscard]] bool ok() const { return ok_; }

  private:
    void put(const void* data, size_t size_B);
    void put_u32(uint32_t value);
    void put_u64(uint64_t value);
    void head(RecordType type, uint64_t size_B);
    void pad(uint64_t size_B);

    std::FILE* file_;
    bool ok_ = true;
};

/// Reads the records of a file in memory, which must outlive the reader.
class CaptureReader {
  public:
    explicit CaptureReader(std::span<const uint8_t> file);
    /// False: the end, or an error.
    [[nodiscard]] bool next(Record* out);
    /// The file's error; null: none.
    const char* error() const { return error_; }

  private:
    bool fail(const char* error);

    std::span<const uint8_t> rest_;
    const char* error_ = nullptr;
};

}  // namespace terrazzo::capture
