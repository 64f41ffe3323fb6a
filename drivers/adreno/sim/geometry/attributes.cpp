// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/attributes.h"

#include <algorithm>
#include <string>

#include "drivers/adreno/hw/formats.h"
#include "drivers/adreno/sim/read.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr unsigned kMaxAttributes = 32, kLaneLimit = kMaxGroups * kGroupLanes;
constexpr uint8_t kNoRegister = 0xfc;  // r63.x: nothing is written

std::string named(const char* what, unsigned i) {
    return std::string(what) + "[" + std::to_string(i) + "]";
}

// `as_float`: VFD_DECODE_INSTR.float_, whether the shader reads floats; integers are converted as they are.
uint32_t number_of(hw::Format format, hw::ColorSwap swap, bool as_float) {
    return uint32_t(format) << 3 | uint32_t(swap) << 1 | as_float;
}

// The inverse of pipe's formats. Formats that only differ in properties that attributes lack (sRGB) share a
// number. The hardware has no formats with an unused channel: it reads it.
units::FormatNumbers vertex_formats() {
    units::FormatNumbers all;
    for (size_t i = 0; i < pipe::kFormatCount; ++i) {
        const pipe::Format format = pipe::Format(i);
        const hw::FormatRow* hardware = hw::format_row(format);
        const pipe::FormatInfo& info = pipe::format_info(format);
        const bool has_unused = info.channel_count == 4 && info.swizzle[3] == pipe::Swizzle::One;
        if (hardware && hardware->is_vertex() && info.is_color && !has_unused)
            all.add(number_of(hardware->vertex, hardware->swap, !info.is_pure_int()), format);
    }
    return all;
}

}  // namespace

bool VertexFetch::decode(Machine& machine, unsigned i, Attribute* out, Fault* fault) const {
    RegisterReader in(machine.registers, fault);
    const auto decode = in.get<hw::VFD_DECODE_INSTR>(i);
    const auto dest = in.get<hw::VFD_DEST_CNTL_INSTR>(i);
    if (!in) return false;
    static const units::FormatNumbers formats = vertex_formats();
    const pipe::Format format = formats.find(number_of(decode.format, decode.swap, decode.float_));
    if (format == pipe::Format::None)
        return fail(fault, named("VFD_DECODE_INSTR", i), ": no vertex format ", unsigned(decode.format),
                    " with swap ", unsigned(decode.swap), decode.float_ ? " as" : " as no", " float");
    out->step_rate = decode.instanced ? in.get<hw::VFD_DECODE_STEP_RATE>(i).value : 1;
    out->base = in.get<hw::VFD_FETCH_BASE>(decode.idx).value;
    out->size_B = in.get<hw::VFD_FETCH_SIZE>(decode.idx).value;
    out->stride_B = in.get<hw::VFD_FETCH_STRIDE>(decode.idx).value;
    if (!in) return false;
    if (out->step_rate == 0) return fail(fault, named("VFD_DECODE_STEP_RATE", i), " is 0");
    out->format = units::format_reader(format);
    out->offset_B = decode.offset;
    out->instanced = decode.instanced;
    out->buffer = uint8_t(decode.idx);
    out->reg = uint8_t(dest.regid);
    out->mask = uint8_t(dest.writemask);
    return true;
}

bool VertexFetch::init(Machine& machine, bool rectangles, Fault* fault) {
    const Registers& r = machine.registers;
    RegisterReader in(r, fault);
    const auto counts = in.get<hw::VFD_CONTROL_0>();
    const auto ids = in.get<hw::VFD_CONTROL_1>();
    const auto add = in.get<hw::VFD_ADD_OFFSET>();
    index_offset_ = in.get<hw::VFD_INDEX_OFFSET>().value;
    instance_start_ = in.get<hw::VFD_INSTANCE_START_OFFSET>().value;
    if (!in) return false;
    if (counts.decode_cnt > kMaxAttributes)
        return fail(fault, "VFD_CONTROL_0 has ", counts.decode_cnt, " attributes, of at most 32");
    vertex_reg_ = uint8_t(ids.regid4vtx);
    instance_reg_ = uint8_t(ids.regid4inst);
    add_index_offset_ = add.vertex;
    add_instance_start_ = add.instance;
    attributes_.clear();
    for (unsigned i = 0; i < counts.decode_cnt; ++i) {
        Attribute a;
        if (rectangles && i && !r.is_set(hw::VFD_DECODE_INSTR::at(i))) continue;
        if (!decode(machine, i, &a, fault)) return false;
        if (a.mask && a.reg != kNoRegister) attributes_.push_back(a);
    }
    return true;
}

bool place_words(uint8_t reg, const uint32_t* values, unsigned count, Wave* wave, const char* what,
                 Fault* fault) {
    if (reg == kNoRegister) return true;
    const unsigned groups = (count + kGroupLanes - 1) / kGroupLanes;
    for (unsigned g = 0; g < groups; ++g) {
        U32 group;
        std::memcpy(&group, values + g * kGroupLanes, sizeof(group));
        if (reg >= kFullRegisters || !wave->set_group(isa::Reg{reg}, false, g, group))
            return fail(fault, what, " goes to no register: r", reg / 4, ".", "xyzw"[reg % 4]);
    }
    return true;
}

bool VertexFetch::fetch(window::Window& memory, const Attribute& a, const VertexInvocation* v, unsigned count,
                        Wave* wave, Fault* fault) const {
    alignas(64) uint32_t component[4][kLaneLimit];
    for (auto& c : component)
        std::fill_n(c, (count + kGroupLanes - 1) / kGroupLanes * kGroupLanes, 0);
    const unsigned element_B = a.format.size_B;
    const uint8_t* const all = a.size_B ? memory.at(a.base, a.size_B, window::Access::Read) : nullptr;
    for (unsigned i = 0; i < count; ++i) {
        const uint32_t element =
            a.instanced ? instance_start_ + v[i].instance / a.step_rate : v[i].index + index_offset_;
        const uint64_t at = uint64_t(element) * a.stride_B + a.offset_B;
        if (at + element_B > a.size_B) continue;
        uint8_t raw[16];
        const uint8_t* from = raw;
        if (all)
            from = all + at;
        else if (!memory.read(a.base + at, raw, element_B))
            return fail(fault, FaultKind::Memory, named("VFD_FETCH", a.buffer), ": ",
                        to_string(memory.fault()));
        uint32_t words[4];
        a.format.read(from, words);
        for (unsigned c = 0; c < 4; ++c)
            component[c][i] = words[c];
    }
    for (unsigned c = 0; c < 4; ++c)
        if (a.mask >> c & 1 &&
            !place_words(uint8_t(a.reg + c), component[c], count, wave, "an attribute", fault))
            return false;
    return true;
}

bool VertexFetch::load(window::Window& memory, const VertexInvocation* v, unsigned count, Wave* wave,
                       Fault* fault) const {
    count = std::min(count, kLaneLimit);
    alignas(64) uint32_t values[kLaneLimit] = {};
    if (vertex_reg_ != kNoRegister) {
        for (unsigned i = 0; i < count; ++i)
            values[i] = v[i].index + (add_index_offset_ ? index_offset_ : 0);
        if (!place_words(vertex_reg_, values, count, wave, "the vertex id", fault)) return false;
    }
    if (instance_reg_ != kNoRegister) {
        for (unsigned i = 0; i < count; ++i)
            values[i] = v[i].instance + (add_instance_start_ ? instance_start_ : 0);
        if (!place_words(instance_reg_, values, count, wave, "the instance id", fault)) return false;
    }
    for (const Attribute& a : attributes_)
        if (!fetch(memory, a, v, count, wave, fault)) return false;
    return true;
}

}  // namespace terrazzo::adreno::sim
