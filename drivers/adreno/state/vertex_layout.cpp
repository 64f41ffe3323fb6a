// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_context.cc (fd6_vertex_state_create), fd6_emit.cc (build_vbo_state).
#include "drivers/adreno/state/vertex_layout.h"

#include <algorithm>
#include <new>

#include "drivers/adreno/hw/formats.h"

namespace terrazzo::adreno {
namespace {

constexpr uint32_t kMaxOffset_B = (1 << 12) - 1;

bool is_integer(pipe::Format f) {
    const pipe::ChannelType type = pipe::format_info(f).channel[0].type;
    return type == pipe::ChannelType::Uint || type == pipe::ChannelType::Sint;
}

}  // namespace

AdrenoVertexLayout::AdrenoVertexLayout(Device& device, const pipe::VertexLayoutDesc& d)
    : desc(d), device_(device) {
    for (unsigned i = 0; i < d.count; ++i) {
        const pipe::VertexElement& e = d.elements[i];
        if (e.format == pipe::Format::None) continue;
        const hw::FormatRow* row = hw::format_row(e.format);
        if (!row || !row->is_vertex() || e.offset_B > kMaxOffset_B)
            unsupported |= 1u << i;
        else
            buffers |= 1u << e.buffer;
    }
}

std::unique_ptr<const StaticState> AdrenoVertexLayout::create_state(const Key& key) const {
    uint32_t missing = key.without_buffer | unsupported;
    for (unsigned i = 0; i < pipe::kMaxVertexAttribs; ++i)
        if (i >= desc.count || desc.elements[i].format == pipe::Format::None) missing |= 1u << i;
    uint32_t words[2 * pipe::kMaxVertexAttribs + 1];
    RegisterRun run(words);
    unsigned n = 0;
    for (unsigned i = 0; i < pipe::kMaxVertexAttribs; ++i) {
        if (!(key.locations >> i & 1)) continue;
        hw::VFD_DECODE_INSTR decode{
            .idx = kMissingSlot, .format = hw::Format::FMT6_32_32_32_32_FLOAT, .unk30 = true, .float_ = true};
        uint32_t step = 1;
        if (!(missing >> i & 1)) {
            const pipe::VertexElement& e = desc.elements[i];
            const hw::FormatRow& row = *hw::format_row(e.format);
            decode.idx = e.buffer;
            decode.offset = e.offset_B;
            decode.instanced = e.divisor != 0;
            decode.format = row.vertex;
            decode.swap = row.swap;
            decode.float_ = !is_integer(e.format);
            step = std::max(1u, e.divisor);
        }
        run.add(Element{n, decode});
        run.add(Element{n, hw::VFD_DECODE_STEP_RATE{step}});
        ++n;
    }
    auto state = std::make_unique<const StaticState>(
        device_, std::span<const uint32_t>(words, size_t(run.finish() - words)));
    return state->valid() ? std::move(state) : nullptr;
}

uint32_t* write_fetch_slots(std::span<const FetchSlot> slots, uint64_t missing_va, uint32_t* out) {
    // The registers of a slot are address (2), size and stride; those of all slots are contiguous.
    static_assert(hw::VFD_FETCH_BASE::at(1) == hw::VFD_FETCH_BASE::at(0) + 4 &&
                  hw::VFD_FETCH_SIZE::at(0) == hw::VFD_FETCH_BASE::at(0) + 2 &&
                  hw::VFD_FETCH_STRIDE::at(0) == hw::VFD_FETCH_BASE::at(0) + 3);
    const auto put = [&](const FetchSlot& s) {
        *out++ = uint32_t(s.va);
        *out++ = uint32_t(s.va >> 32);
        *out++ = s.size_B;
        *out++ = s.stride_B;
    };
    if (!slots.empty()) *out++ = hw::pack_type4(hw::VFD_FETCH_BASE::at(0), uint32_t(slots.size()) * 4);
    for (const FetchSlot& s : slots)
        put(s);
    *out++ = hw::pack_type4(hw::VFD_FETCH_BASE::at(kMissingSlot), 4);
    put({missing_va, 16, 0});
    return out;
}

}  // namespace terrazzo::adreno
