// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Type-7 packets: prints them and applies their effects.
#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "drivers/adreno/decode/walker.h"
#include "drivers/adreno/hw/registers.h"

namespace terrazzo::adreno::decode {

using namespace hw;

namespace {

constexpr unsigned kMaxChained = 4096;
constexpr unsigned kMostShown_dw = 64;  // of a payload with unknown meaning

/// Packets whose payload continues after the words in the table.
bool has_tail(Pm4Opcode opcode) {
    return opcode == Pm4Opcode::CP_LOAD_STATE6 || opcode == Pm4Opcode::CP_LOAD_STATE6_GEOM ||
           opcode == Pm4Opcode::CP_LOAD_STATE6_FRAG || opcode == Pm4Opcode::CP_MEM_WRITE ||
           opcode == Pm4Opcode::CP_SCRATCH_WRITE;
}

bool runs_groups(Pm4Opcode opcode) {
    return opcode == Pm4Opcode::CP_DRAW_INDX || opcode == Pm4Opcode::CP_DRAW_INDX_OFFSET ||
           opcode == Pm4Opcode::CP_DRAW_INDIRECT || opcode == Pm4Opcode::CP_DRAW_INDX_INDIRECT ||
           opcode == Pm4Opcode::CP_DRAW_INDIRECT_MULTI || opcode == Pm4Opcode::CP_DRAW_AUTO ||
           opcode == Pm4Opcode::CP_EXEC_CS || opcode == Pm4Opcode::CP_EXEC_CS_INDIRECT;
}

std::string hex_words(std::span<const uint32_t> words) {
    std::string text;
    for (size_t i = 0; i < std::min<size_t>(words.size(), kMostShown_dw); ++i) {
        char word[12];
        std::snprintf(word, sizeof word, " %08x", words[i]);
        text += word;
    }
    return words.size() > kMostShown_dw ? text + " ..." : text;
}

/// The text in a NOP, as in debug markers; else empty.
std::string marker_text(std::span<const uint32_t> words) {
    std::string text;
    for (uint32_t word : words) {
        for (unsigned shift = 0; shift < 32; shift += 8) {
            const char c = char(word >> shift);
            if (!c) return text;
            if (c < ' ' || c > '~') return {};
            text += c;
        }
    }
    return text;
}

/// Whether a payload has all words that effect() reads.
bool is_whole(Pm4Opcode opcode, std::span<const uint32_t> payload) {
    const fields::PacketRow* row = packet_row(opcode);
    return row && payload.size() >= row->least_dw;
}

template <class T>
T unpacked(std::span<const uint32_t> payload) {
    uint32_t words[T::kSize_dw] = {};
    std::copy_n(payload.begin(), std::min<size_t>(payload.size(), T::kSize_dw), words);
    T packet;
    unpack(words, &packet);
    return packet;
}

}  // namespace

bool Walker::type7(Buffer& buffer, Pm4Opcode opcode, const std::string& label,
                   std::span<const uint32_t> payload) {
    if (runs_groups(opcode) && !run_groups(buffer)) return false;
    print_payload(buffer.indent, opcode, label, payload);
    count(opcode, payload);
    return !is_whole(opcode, payload) || effect(buffer, opcode, payload);
}

void Walker::print_payload(unsigned indent, Pm4Opcode opcode, const std::string& label,
                           std::span<const uint32_t> payload) {
    const char* name = enum_name(opcode);
    const std::string head = label + (name ? name : "opcode " + std::to_string(unsigned(opcode)));
    if (!name) c_.problem(indent, "%s is none that is known", head.c_str());
    const fields::PacketRow* row = packet_row(opcode);
    if (!row) {
        const std::string text = opcode == Pm4Opcode::CP_NOP ? marker_text(payload) : std::string();
        c_.line(indent, head + (text.empty() ? hex_words(payload) : " \"" + text + '"'));
        return;
    }
    OneLine fields;
    uint32_t words[256] = {};
    if (row->repeats) {
        c_.line(indent, head);
        for (size_t at = 0; at + row->size_dw <= payload.size(); at += row->size_dw) {
            row->print(fields, payload.data() + at, row->size_dw, 0);
            c_.print_joined(indent + 1, "", fields);
        }
        if (payload.size() % row->size_dw) c_.problem(indent + 1, "the last of the list lacks something");
        return;
    }
    if (payload.size() < row->least_dw) {
        c_.line(indent, head + hex_words(payload));
        c_.problem(indent + 1, "it has %zu of at least %u dwords", payload.size(), row->least_dw);
        return;
    }
    const size_t known = std::min<size_t>(payload.size(), row->size_dw);
    std::copy_n(payload.begin(), known, words);
    row->print(fields, words, unsigned(known), 0);
    c_.print_joined(indent, head + ' ', fields);
    if (payload.size() > row->size_dw && !has_tail(opcode))
        c_.problem(indent + 1, "its last dwords have no known meaning:%s",
                   hex_words(payload.subspan(row->size_dw)).c_str());
}

bool Walker::effect(Buffer& buffer, Pm4Opcode opcode, std::span<const uint32_t> payload) {
    switch (opcode) {
        case Pm4Opcode::CP_INDIRECT_BUFFER:
        case Pm4Opcode::CP_INDIRECT_BUFFER_PFD: {
            const auto packet = unpacked<CpIndirectBuffer>(payload);
            return call(buffer, packet.address, packet.size_dw);
        }
        case Pm4Opcode::CP_INDIRECT_BUFFER_CHAIN: {
            const auto packet = unpacked<CpIndirectBufferChain>(payload);
            if (++chained_ > kMaxChained || packet.address % 4) {
                c_.problem(buffer.indent, "the chain of buffers is not followed");
                return false;
            }
            c_.print(buffer.indent, "chain @0x%" PRIx64 ":", packet.address);
            buffer.va = packet.address;
            buffer.size_dw = packet.size_dw;
            return true;
        }
        case Pm4Opcode::CP_SET_DRAW_STATE:
            set_draw_state(buffer, payload);
            return true;
        case Pm4Opcode::CP_LOAD_STATE6:
        case Pm4Opcode::CP_LOAD_STATE6_GEOM:
        case Pm4Opcode::CP_LOAD_STATE6_FRAG:
            load_state(buffer, payload);
            return true;
        case Pm4Opcode::CP_SET_MARKER:
            marker(payload);
            return true;
        default:
            memory_writes(buffer, opcode, payload);
            return true;
    }
}

bool Walker::call(Buffer& from, uint64_t va, uint32_t size_dw) {
    if (from.level != Level::Submission) {
        c_.problem(from.indent, "a called buffer and a group of state call no other");
        return true;
    }
    return buffer({.va = va, .size_dw = size_dw, .level = Level::Called, .indent = from.indent + 1});
}

void Walker::set_draw_state(const Buffer& buffer, std::span<const uint32_t> payload) {
    for (; payload.size() >= CpSetDrawState::kSize_dw; payload = payload.subspan(CpSetDrawState::kSize_dw)) {
        const auto state = unpacked<CpSetDrawState>(payload);
        if (state.disable_all_groups) {
            groups_ = {};
            continue;
        }
        Group& group = groups_[state.group_id];
        group = {};
        if (state.disable) continue;
        const Group set{
            .va = state.address,
            .size_dw = state.count_dw,
            .modes = uint8_t((state.binning ? Registers::kBinning : 0) | (state.gmem ? Registers::kGmem : 0) |
                             (state.sysmem ? Registers::kSysmem : 0))};
        if (state.load_immed)
            (void)run_group(buffer, state.group_id, set);
        else
            group = set;
    }
}

bool Walker::run_group(const Buffer& from, unsigned number, const Group& group) {
    if (!group.size_dw) return true;
    c_.print(from.indent + 1, "group %u @0x%" PRIx64 ": %u dwords%s", number, group.va, group.size_dw,
             group.modes & r_.mode ? "" : ", not in this mode");
    if (!(group.modes & r_.mode)) return true;
    if (from.level == Level::Group) {
        c_.problem(from.indent + 1, "a group of state runs no other");
        return true;
    }
    // An error in a group only ends the group.
    (void)buffer(
        {.va = group.va, .size_dw = group.size_dw, .level = Level::Group, .indent = from.indent + 2});
    return packets_ <= c_.options.max_packets;
}

bool Walker::run_groups(const Buffer& buffer) {
    const std::array<Group, 32> groups = groups_;
    groups_ = {};  // a group runs once, until it is set again
    for (unsigned i = 0; i < groups.size(); ++i)
        if (!run_group(buffer, i, groups[i])) return false;
    return true;
}

void Walker::load_state(const Buffer& buffer, std::span<const uint32_t> payload) {
    const auto packet = unpacked<CpLoadState6>(payload);
    print_loaded_state(c_, buffer.indent + 1, packet.load, r_, payload.subspan(CpLoadState6::kSize_dw));
}

void Walker::marker(std::span<const uint32_t> payload) {
    const auto packet = unpacked<CpSetMarker>(payload);
    if (packet.marker_mode != MarkerMode::SET_RENDER_MODE) return;
    if (packet.mode == Marker::RM6_BIN_VISIBILITY)
        r_.mode = Registers::kBinning;
    else if (packet.mode == Marker::RM6_BIN_RENDER_START)
        r_.mode = Registers::kGmem;
    else if (packet.mode == Marker::RM6_DIRECT_RENDER)
        r_.mode = Registers::kSysmem;
}

void Walker::count(Pm4Opcode opcode, std::span<const uint32_t> payload) {
    if (opcode == Pm4Opcode::CP_EXEC_CS || opcode == Pm4Opcode::CP_EXEC_CS_INDIRECT)
        ++c_.statistics.dispatches;
    else if (runs_groups(opcode))
        ++c_.statistics.draws;
    const bool event = opcode == Pm4Opcode::CP_EVENT_WRITE && !payload.empty() &&
                       EventType(payload[0] & 0xff) == EventType::BLIT;
    if (event || opcode == Pm4Opcode::CP_BLIT) ++c_.statistics.blits;
}

void Walker::memory_writes(const Buffer& buffer, Pm4Opcode opcode, std::span<const uint32_t> payload) {
    switch (opcode) {
        case Pm4Opcode::CP_MEM_WRITE: {
            const auto packet = unpacked<CpMemWrite>(payload);
            const auto words = payload.subspan(CpMemWrite::kSize_dw);
            c_.line(buffer.indent + 1, "words:" + hex_words(words));
            for (size_t i = 0; i < words.size(); ++i)
                (void)c_.store(packet.address + 4 * i, words[i]);
            break;
        }
        case Pm4Opcode::CP_SCRATCH_WRITE:
            c_.line(buffer.indent + 1, "words:" + hex_words(payload.subspan(1)));
            break;
        case Pm4Opcode::CP_REG_WRITE: {
            const auto packet = unpacked<CpRegWrite>(payload);
            write_registers(buffer, packet.reg, std::span(&packet.value, 1));
            break;
        }
        case Pm4Opcode::CP_CONTEXT_REG_BUNCH:
            for (size_t i = 0; i + 1 < payload.size(); i += 2)
                write_registers(buffer, payload[i], payload.subspan(i + 1, 1));
            break;
        case Pm4Opcode::CP_REG_RMW:
            r_.forget(unpacked<CpRegRmw>(payload).dst_reg);
            break;
        case Pm4Opcode::CP_MEM_TO_REG: {
            const auto packet = unpacked<CpMemToReg>(payload);
            for (uint32_t i = 0; i < std::max(packet.cnt, 1u); ++i)
                r_.forget(packet.reg + i);
            break;
        }
        case Pm4Opcode::CP_SCRATCH_TO_REG: {
            const auto packet = unpacked<CpScratchToReg>(payload);
            for (uint32_t i = 0; i < packet.cnt; ++i)
                r_.forget(packet.reg + i);
            break;
        }
        default:
            break;
    }
}

}  // namespace terrazzo::adreno::decode
