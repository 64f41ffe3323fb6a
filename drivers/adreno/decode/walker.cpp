// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/decode/walker.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "drivers/adreno/hw/registers.h"

namespace terrazzo::adreno::decode {

using namespace hw;

namespace {

constexpr uint64_t kMaxBuffer_dw = 0xfffff;  // 20 bits
constexpr uint64_t kMaxSkip_dw = 0x4000;     // searched for the next packet after an invalid word

std::string address_text(uint64_t va, uint32_t word) {
    char text[40];
    std::snprintf(text, sizeof text, "%09" PRIx64 "  %08x  ", va, word);
    return text;
}

}  // namespace

bool Walker::run(uint64_t va, uint64_t size_dw) {
    return buffer({.va = va, .size_dw = size_dw, .level = Level::Submission, .indent = 1});
}

bool Walker::buffer(Buffer buffer) {
    if (buffer.va % 4) {
        c_.problem(buffer.indent, "a buffer at 0x%" PRIx64 ", which is no multiple of 4", buffer.va);
        return false;
    }
    if (buffer.size_dw > kMaxBuffer_dw || buffer.va + buffer.size_dw * 4 < buffer.va) {
        c_.problem(buffer.indent, "a buffer of %" PRIu64 " dwords is longer than one can be", buffer.size_dw);
        return false;
    }
    uint64_t va = buffer.va;
    for (uint64_t at = 0; at < buffer.size_dw;) {
        uint64_t length_dw = 0;
        if (c_.full() || !packet(buffer, at, &length_dw)) return false;
        at += length_dw;
        if (buffer.va != va) at = 0;  // a chained buffer continues the walk
        va = buffer.va;
    }
    return true;
}

bool Walker::packet(Buffer& buffer, uint64_t at, uint64_t* length_dw) {
    const uint64_t va = buffer.va + 4 * at;
    uint32_t word = 0;
    if (!c_.read(va, &word, sizeof word)) {
        c_.problem(buffer.indent, "%09" PRIx64 ": unmapped", va);
        return false;
    }
    if (++packets_ > c_.options.max_packets) {
        c_.problem(buffer.indent, "the stream does not end");
        return false;
    }
    const Pm4Header header = unpack_header(word);
    if (header.type == Pm4Header::Type::Invalid || header.parity_is_wrong)
        return invalid(buffer, at, word, length_dw);
    uint64_t count_dw = header.count_dw;
    *length_dw = 1 + count_dw;
    if (at + 1 + count_dw > buffer.size_dw) {
        count_dw = buffer.size_dw - at - 1;
        c_.problem(buffer.indent, "the packet at %09" PRIx64 " ends %" PRIu64 " dwords after its buffer", va,
                   header.count_dw - count_dw);
    }
    std::vector<uint32_t> payload(count_dw);
    if (!c_.read(va + 4, payload.data(), payload.size() * 4)) {
        c_.problem(buffer.indent, "%09" PRIx64 ": a packet's words are unmapped", va + 4);
        return false;
    }
    ++c_.statistics.packets;
    if (header.type == Pm4Header::Type::Packet)
        return type7(buffer, Pm4Opcode(header.opcode), address_text(va, word), payload);
    c_.line(buffer.indent, address_text(va, word) + "write " + std::to_string(payload.size()));
    // An empty write is valid: freedreno writes the outputs of a fragment shader without outputs this way.
    write_registers(buffer, header.reg, payload);
    return true;
}

bool Walker::invalid(const Buffer& buffer, uint64_t at, uint32_t word, uint64_t* length_dw) {
    const uint64_t va = buffer.va + 4 * at;
    uint64_t skip = 1;
    // Finds the next word that could be the header of a packet that fits.
    for (; skip < kMaxSkip_dw && at + skip < buffer.size_dw; ++skip) {
        uint32_t next = 0;
        if (!c_.read(va + 4 * skip, &next, sizeof next)) break;
        const Pm4Header header = unpack_header(next);
        if (header.type != Pm4Header::Type::Invalid && !header.parity_is_wrong &&
            at + skip + 1 + header.count_dw <= buffer.size_dw)
            break;
    }
    c_.problem(buffer.indent, "%09" PRIx64 ": %08x begins no packet; %" PRIu64 " dwords are passed over", va,
               word, skip);
    *length_dw = skip;
    return true;
}

void Walker::write_registers(const Buffer& buffer, uint32_t reg, std::span<const uint32_t> values) {
    c_.statistics.register_writes += values.size();
    for (size_t i = 0; i < values.size(); ++i)
        r_.set(uint32_t(reg + i), values[i]);
    print_registers(buffer.indent + 1, reg, values);
}

void Walker::print_registers(unsigned indent, uint32_t reg, std::span<const uint32_t> values) {
    OneLine fields;
    for (size_t i = 0; i < values.size();) {
        const uint32_t number = uint32_t(reg + i);
        if (number >= Registers::kCount) {
            c_.problem(indent, "0x%x is no register's number", number);
            return;
        }
        const RegisterAt at = find_register(uint16_t(number));
        const std::string name = register_name(uint16_t(number)) + " = ";
        char hex[32];
        if (!at.row || at.word || at.row->count > values.size() - i) {
            // A half of a value, or an unknown register.
            std::snprintf(hex, sizeof hex, "0x%08x", values[i]);
            c_.line(indent, name + hex);
            ++i;
            continue;
        }
        if (at.row->count == 2)
            std::snprintf(hex, sizeof hex, "0x%08x%08x ", values[i + 1], values[i]);
        else
            std::snprintf(hex, sizeof hex, "0x%08x ", values[i]);
        at.row->print(fields, at.row->name, values.data() + i, 0);
        c_.print_joined(indent, name + hex, fields);
        i += at.row->count;
    }
}

bool print_stream(const Memory& memory, uint64_t va, uint64_t size_dw, Registers* registers,
                  fields::Sink& sink, const Options& options) {
    Context context(memory, sink, options);
    Walker walker(context, *registers);
    const bool done = walker.run(va, size_dw);
    if (Statistics* all = options.statistics) {
        all->packets += context.statistics.packets;
        all->register_writes += context.statistics.register_writes;
        all->draws += context.statistics.draws;
        all->dispatches += context.statistics.dispatches;
        all->blits += context.statistics.blits;
        all->problems += context.statistics.problems;
    }
    return done;
}

}  // namespace terrazzo::adreno::decode
