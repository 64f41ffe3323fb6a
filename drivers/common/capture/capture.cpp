// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/capture/capture.h"

#include <cstring>

namespace terrazzo::capture {

namespace {

constexpr uint8_t kMagic[8] = {'T', 'R', 'Z', 'C', 'A', 'P', 0, 1};
constexpr size_t kHead_B = 16;

uint32_t get_u32(const uint8_t* p) {
    return uint32_t(p[0]) | uint32_t(p[1]) << 8 | uint32_t(p[2]) << 16 | uint32_t(p[3]) << 24;
}
uint64_t get_u64(const uint8_t* p) {
    return get_u32(p) | uint64_t(get_u32(p + 4)) << 32;
}

}  // namespace

uint32_t Record::register_at(unsigned i) const {
    return get_u32(registers.data() + size_t(i) * 4);
}

CaptureWriter::CaptureWriter(std::FILE* file) : file_(file) {
    put(kMagic, sizeof kMagic);
}

void CaptureWriter::put(const void* data, size_t size_B) {
    ok_ = ok_ && (size_B == 0 || std::fwrite(data, 1, size_B, file_) == size_B);
}

void CaptureWriter::put_u32(uint32_t value) {
    const uint8_t bytes[4] = {uint8_t(value), uint8_t(value >> 8), uint8_t(value >> 16),
                              uint8_t(value >> 24)};
    put(bytes, sizeof bytes);
}

void CaptureWriter::put_u64(uint64_t value) {
    put_u32(uint32_t(value));
    put_u32(uint32_t(value >> 32));
}

void CaptureWriter::head(RecordType type, uint64_t size_B) {
    put_u32(uint32_t(type));
    put_u32(0);
    put_u64(size_B);
}

void CaptureWriter::pad(uint64_t size_B) {
    const uint8_t zeros[8] = {};
    put(zeros, size_t(-size_B & 7));
}

void CaptureWriter::chip(Vendor vendor, uint32_t gpu_id, uint32_t variant) {
    head(RecordType::Chip, 16);
    put_u32(uint32_t(vendor));
    put_u32(gpu_id);
    put_u32(variant);
    put_u32(0);
}

void CaptureWriter::memory(uint64_t va, std::span<const uint8_t> bytes) {
    head(RecordType::Memory, 8 + bytes.size());
    put_u64(va);
    put(bytes.data(), bytes.size());
    pad(bytes.size());
}

void CaptureWriter::zeros(uint64_t va, uint64_t size_B) {
    head(RecordType::Zeros, 16);
    put_u64(va);
    put_u64(size_B);
}

void CaptureWriter::submit(uint64_t va, uint64_t size_B, uint32_t queue,
                           std::span<const uint32_t> registers) {
    head(RecordType::Submit, 24 + registers.size_bytes());
    put_u64(va);
    put_u64(size_B);
    put_u32(queue);
    put_u32(uint32_t(registers.size()));
    for (uint32_t value : registers)
        put_u32(value);
    pad(registers.size_bytes());
}

void CaptureWriter::note(std::string_view text) {
    head(RecordType::Note, text.size());
    put(text.data(), text.size());
    pad(text.size());
}

CaptureReader::CaptureReader(std::span<const uint8_t> file) {
    if (file.size() < sizeof kMagic || std::memcmp(file.data(), kMagic, sizeof kMagic) != 0)
        fail("not a Terrazzo capture of version 1");
    else
        rest_ = file.subspan(sizeof kMagic);
}

bool CaptureReader::fail(const char* error) {
    error_ = error;
    rest_ = {};
    return false;
}

bool CaptureReader::next(Record* out) {
    while (!rest_.empty()) {
        if (rest_.size() < kHead_B) return fail("the file ends within a record");
        const auto type = RecordType(get_u32(rest_.data()));
        const uint64_t size_B = get_u64(rest_.data() + 8);
        const std::span<const uint8_t> after = rest_.subspan(kHead_B);
        if (size_B > after.size() || (-size_B & 7) > after.size() - size_B)
            return fail("the file ends within a record");
        const std::span<const uint8_t> body = after.first(size_t(size_B));
        rest_ = after.subspan(size_t(size_B + (-size_B & 7)));
        Record record;
        record.type = type;
        if (type < RecordType::Chip || type > RecordType::Zeros) continue;  // from a later version
        switch (type) {
            case RecordType::Chip:
                if (size_B != 16) return fail("a chip's record has another size");
                record.vendor = Vendor(get_u32(body.data()));
                record.gpu_id = get_u32(body.data() + 4);
                record.variant = get_u32(body.data() + 8);
                break;
            case RecordType::Memory:
                if (size_B < 8) return fail("a memory's record has no address");
                record.va = get_u64(body.data());
                record.bytes = body.subspan(8);
                break;
            case RecordType::Zeros:
                if (size_B != 16 || get_u64(body.data() + 8) > kMaxZeros_B)
                    return fail("a record of zeros has another size");
                record.va = get_u64(body.data());
                record.size_B = get_u64(body.data() + 8);
                break;
            case RecordType::Submit:
                if (size_B < 24 || (size_B - 24) / 4 != get_u32(body.data() + 20) || size_B % 4)
                    return fail("a submission's record has another size than its registers");
                record.va = get_u64(body.data());
                record.size_B = get_u64(body.data() + 8);
                record.queue = get_u32(body.data() + 16);
                record.registers = body.subspan(24);
                break;
            case RecordType::Note:
                record.bytes = body;
                break;
        }
        *out = record;
        return true;
    }
    return false;
}

}  // namespace terrazzo::capture
