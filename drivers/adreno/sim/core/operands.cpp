// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Values of registers, results, and their checks.
#include <bit>

#include "drivers/adreno/sim/core/execution.h"
#include "pipe/half.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr unsigned kFirstSharedIndex = isa::kFirstShared * 4;

std::string name_of_unit(unsigned u) {
    if (u >= kPredicateUnit) return register_name(isa::reg(62, u - kPredicateUnit), false);
    if (u >= kAddressUnit) return u == kAddressUnit ? "a0.x" : "a1.x";
    if (u >= kFirstSharedUnit)
        return register_name({uint8_t(kFirstSharedIndex + (u - kFirstSharedUnit) / 2)}, false);
    if (u >= kFirstHalfUnit) return register_name({uint8_t(u - kFirstHalfUnit)}, true);
    return register_name({uint8_t(u / 2)}, false);
}

}  // namespace

std::string register_name(isa::Reg reg, bool half) {
    const char component = "xyzw"[reg.component()];
    if (reg.number() == 61) return reg.component() == 0 ? "a0.x" : "a1.x";
    if (reg.number() == 62) return std::string("p0.") + component;
    return std::string(half ? "hr" : "r") + std::to_string(reg.number()) + "." + component;
}

UnitRange Execution::units_of(From from, unsigned i, bool half) const {
    switch (from) {
        case From::Full:
            return {uint16_t(2 * i), 2};
        case From::Half:
            return w_.merged_registers ? UnitRange{uint16_t(i), 1}
                                       : UnitRange{uint16_t(kFirstHalfUnit + i), 1};
        case From::Shared:
            return shared_units(i, half);
        case From::Address:
            return {uint16_t(kAddressUnit + i), 1};
        case From::Predicate:
            return {uint16_t(kPredicateUnit + i), 1};
        default:
            return {};
    }
}

bool Execution::check_footprint(From from, unsigned i) {
    if (from == From::Full && i / 4 >= w_.full_registers)
        return fail(register_name({uint8_t(i)}, false) + " is beyond the shader's " +
                    std::to_string(w_.full_registers) + " full registers");
    if (from == From::Half && i / 4 >= w_.half_registers &&
        !(w_.merged_registers && i / 8 < w_.full_registers))
        return fail(register_name({uint8_t(i)}, true) + " is beyond the shader's " +
                    std::to_string(w_.half_registers) + " half and " + std::to_string(w_.full_registers) +
                    " full registers");
    if (from == From::Shared && i >= kSharedRegisters) return fail("a register beyond r55.w");
    return true;
}

bool Execution::check_read(UnitRange units, bool full, uint64_t cycle, Reader reader, const LaneMask& lanes) {
    if (const unsigned early = h_.early(units, reader == Reader::Alu, full, cycle, lanes))
        return fail(name_of_unit(units.first) + " is read " + std::to_string(early) +
                    (early == 1 ? " cycle" : " cycles") + " too early");
    const bool scalar = core_.has_scalar_alu && s_->scalar;
    for (const UnderWay* results : {&h_.result_ss, &h_.scalar_full, &h_.scalar_half}) {
        if (scalar && results == (full ? &h_.scalar_full : &h_.scalar_half)) continue;
        if (const int u = results->find(units, lanes); u >= 0)
            return fail(name_of_unit(unsigned(u)) + " is read without (ss) after what writes it");
    }
    if (const int u = h_.result_sy.find(units, lanes); u >= 0)
        return fail(name_of_unit(unsigned(u)) + " is read without (sy) after what writes it");
    if (reader == Reader::Unit && held_count_ < std::size(held_)) held_[held_count_++] = units;
    if (!w_.check_defined) return true;
    for (unsigned u = units.first; u < unsigned(units.first) + units.count; ++u)
        if (const LaneMask bad = lanes & ~w_.defined.lanes[u]; bad.any())
            return fail(name_of_unit(u) + " is read, and nobody has written it", bad.lowest());
    return true;
}

bool Execution::check_written(UnitRange units, const LaneMask& lanes) {
    const bool scalar = core_.has_scalar_alu && s_->scalar;
    for (const UnderWay* results : {&h_.result_ss, &h_.scalar_full, &h_.scalar_half}) {
        if (scalar && results != &h_.result_ss) continue;
        if (const int u = results->find(units, lanes); u >= 0)
            return fail(name_of_unit(unsigned(u)) + " is written without (ss) after what writes it, too");
    }
    if (const int u = h_.result_sy.find(units, lanes); u >= 0)
        return fail(name_of_unit(unsigned(u)) + " is written without (sy) after what writes it, too");
    if (const int u = h_.source_ss.find(units, lanes); u >= 0)
        return fail(name_of_unit(unsigned(u)) + " is written without (ss) after what may still read it");
    if (const int u = scalar ? -1 : h_.source_scalar.find(units, lanes); u >= 0)
        return fail(name_of_unit(unsigned(u)) + " is written without (ss) after what may still read it");
    if (const int u = h_.source_any.find(units, lanes); u >= 0)
        return fail(name_of_unit(unsigned(u)) +
                    " is written without (ss) or (sy) after what may still read it");
    return true;
}

void Execution::extend_and_sign(const Operand& o, U32* v) const {
    if (o.half && o.numbers == Numbers::Signed)
        for (unsigned g = 0; g < w_.groups; ++g)
            v[g] = U32(I32(v[g] << 16) >> 16);
    if (!o.neg && !o.abs) return;
    const uint32_t sign = o.half ? 0x8000u : 0x80000000u, all = o.half ? 0xffffu : ~0u;
    if (o.numbers == Numbers::Float || o.numbers == Numbers::Bits) {
        const bool is_float = o.numbers == Numbers::Float;
        const uint32_t keep = is_float && o.abs ? ~sign : ~0u;
        const uint32_t flip = !o.neg ? 0 : is_float ? sign : o.from == From::Predicate ? 1u : all;
        for (unsigned g = 0; g < w_.groups; ++g)
            v[g] = (v[g] & keep) ^ flip;
        return;
    }
    for (unsigned g = 0; g < w_.groups; ++g) {
        if (o.abs) v[g] = wave::select(U32(I32(v[g]) < 0), 0u - v[g], v[g]);
        if (o.neg) v[g] = 0u - v[g];
    }
}

const U32* Execution::read_register(From from, unsigned i, const Operand& o, uint64_t cycle, Reader reader,
                                    U32* room) {
    if (i >= kFullRegisters) {
        fail("a register that there is not");
        return nullptr;
    }
    const bool full = from == From::Shared ? !o.half : from != From::Half;
    if (!check_footprint(from, i) || !check_read(units_of(from, i, o.half), full, cycle, reader, exec_))
        return nullptr;
    switch (from) {
        case From::Full:
            if (!o.neg && !o.abs) return w_.full[i];
            for (unsigned g = 0; g < w_.groups; ++g)
                room[g] = w_.full[i][g];
            break;
        case From::Half: {
            const U32* v = w_.merged_registers ? w_.full[i / 2] : w_.half[i];
            const unsigned shift = w_.merged_registers ? 16 * (i & 1) : 0;
            for (unsigned g = 0; g < w_.groups; ++g)
                room[g] = v[g] >> shift & 0xffffu;
            break;
        }
        case From::Shared: {
            const unsigned word = (o.half ? i / 2 : i) - w_.lane_shared_first;
            if (w_.has_lane_shared && word < Wave::kLaneShared) [[unlikely]] {
                for (unsigned g = 0; g < w_.groups; ++g)
                    room[g] =
                        o.half ? w_.lane_shared[word][g] >> 16 * (i & 1) & 0xffffu : w_.lane_shared[word][g];
                break;
            }
            for (unsigned g = 0; g < w_.groups; ++g)
                room[g] = wave::splat(w_.read_shared(i, o.half));
            break;
        }
        case From::Address:
            for (unsigned g = 0; g < w_.groups; ++g)
                room[g] = w_.address[i][g];
            break;
        case From::Predicate:
            for (unsigned g = 0; g < w_.groups; ++g)
                room[g] = wave::mask_of(w_.predicate[i].group(g)) & 1u;
            break;
        default:
            break;
    }
    extend_and_sign(o, room);
    return room;
}

const U32* Execution::read(const Operand& o, unsigned repeat, uint64_t cycle, Reader reader, U32* room) {
    const unsigned step = o.repeat ? repeat : 0;
    switch (o.from) {
        case From::Full:
        case From::Half:
        case From::Shared:
            return read_register(o.from, unsigned(o.index) + step, o, cycle + o.late, reader, room);
        case From::Address:
        case From::Predicate:
            return read_register(o.from, unsigned(o.index), o, cycle + o.late, reader, room);
        case From::Constant:
            return read_constant(o, step, cycle, room);
        case From::Number:
            for (unsigned g = 0; g < w_.groups; ++g)
                room[g] = wave::splat(o.half ? o.value & 0xffff : o.value);
            extend_and_sign(o, room);
            return room;
        case From::RelativeRegister:
            return read_relative_register(o, step, cycle + o.late, reader, room);
        case From::RelativeConstant:
            return read_constant(o, step, cycle, room);
        case From::None:
        case From::Nowhere:
        case From::Wrong:
            break;
    }
    fail("a source that is no register");
    return nullptr;
}

bool Execution::read_address(unsigned which, uint64_t cycle, Reader reader, const U32** value) {
    *value = w_.address[which];
    return check_read(units_of(From::Address, which), true, cycle, reader, exec_);
}

const U32* Execution::read_relative_register(const Operand& o, unsigned repeat, uint64_t cycle, Reader reader,
                                             U32* room) {
    const U32* a0;
    if (!read_address(0, cycle, reader, &a0)) return nullptr;
    const From from = o.half ? From::Half : From::Full;
    Operand one = o;
    one.neg = one.abs = false;
    const LaneMask all = exec_;
    LaneMask left = all;
    for (unsigned g = 0; g < w_.groups; ++g)
        room[g] = U32{};
    while (left.any()) {
        const unsigned lane = left.lowest();
        const int32_t address = int32_t(a0[lane / kGroupLanes][lane % kGroupLanes]);
        const int64_t i = int64_t(address) + o.index + repeat;
        for (unsigned g = 0; g < w_.groups; ++g)
            exec_.set_group(g, left.group(g) & wave::bits_of(U32(a0[g] == uint32_t(address))));
        Lanes part;
        const U32* v = i < 0 || i >= int64_t(kFullRegisters)
                           ? nullptr
                           : read_register(from, unsigned(i), one, cycle, reader, part);
        if (!v) {
            if (i < 0 || i >= int64_t(kFullRegisters))
                fail("r<a0.x> is register " + std::to_string(i) + ", which there is not");
            exec_ = all;
            return nullptr;
        }
        for (unsigned g = 0; g < w_.groups; ++g)
            room[g] = wave::select(wave::mask_of(exec_.group(g)), v[g], room[g]);
        left = left & ~exec_;
        exec_ = all;
    }
    one = o;
    extend_and_sign(one, room);
    return room;
}

bool Execution::constant(int64_t index, const Operand& o, unsigned lane, uint32_t* value) {
    const bool packed = o.half && !w_.demote_constants;
    const int64_t word = packed ? index >> 1 : index;
    if (index < 0 || word >= int64_t(w_.constants.size()))
        return fail("c" + std::to_string(index >> 2) + "." + "xyzw"[index & 3] + " is beyond the " +
                        std::to_string(w_.constants.size()) + " words of constants that were loaded",
                    lane);
    const uint32_t v = w_.constants[size_t(word)];
    *value = !o.half                       ? v
             : packed                      ? v >> 16 * (index & 1) & 0xffff
             : o.numbers == Numbers::Float ? pipe::float_to_half(std::bit_cast<float>(v))
                                           : v & 0xffff;
    return true;
}

const U32* Execution::read_constant(const Operand& o, unsigned repeat, uint64_t cycle, U32* room) {
    if (h_.constants_ss || h_.constants_sy) {
        fail(std::string("a constant is read without ") + (h_.constants_ss ? "(ss)" : "(sy)") +
             " after what writes constants");
        return nullptr;
    }
    uint32_t v = 0;
    if (o.from == From::Constant) {
        if (!constant(o.index + int(repeat), o, exec_.any() ? exec_.lowest() : 0, &v)) return nullptr;
        for (unsigned g = 0; g < w_.groups; ++g)
            room[g] = wave::splat(v);
    } else {
        const U32* a0;
        if (!read_address(0, cycle, Reader::Alu, &a0)) return nullptr;
        int32_t last = 0;
        bool have = false;
        for (unsigned lane = 0; lane < w_.groups * kGroupLanes; ++lane) {
            if (!exec_.has(lane)) continue;
            const int32_t a = int32_t(a0[lane / kGroupLanes][lane % kGroupLanes]);
            if ((!have || a != last) && !constant(int64_t(a) + o.index + repeat, o, lane, &v)) return nullptr;
            last = a;
            have = true;
            room[lane / kGroupLanes][lane % kGroupLanes] = v;
        }
    }
    extend_and_sign(o, room);
    return room;
}

// ---- Results ----

bool Execution::place(const Operand& d, unsigned repeat, const U32* v, UnitRange* units, LaneMask* lanes) {
    From from = d.from;
    int64_t i = int64_t(d.index) + (from == From::Address || from == From::Predicate ? 0 : repeat);
    *lanes = exec_;
    *units = {};
    if (from == From::Nowhere || !exec_.any()) return true;
    if (from == From::RelativeRegister) {
        // One address for all running lanes: code that needs several runs the lanes separately.
        const U32* a0;
        if (!read_address(0, h_.now + repeat, Reader::Alu, &a0)) return false;
        const unsigned lane = exec_.lowest();
        const uint32_t a = a0[lane / kGroupLanes][lane % kGroupLanes];
        for (unsigned g = 0; g < w_.groups; ++g)
            lanes->set_group(g, exec_.group(g) & wave::bits_of(U32(a0[g] == a)));
        from = d.half ? From::Half : From::Full;
        i += int32_t(a);
    }
    if (from == From::None || from == From::Wrong || from == From::Constant || i < 0 ||
        i >= int64_t(kFullRegisters))
        return fail("register " + std::to_string(i) + " is written, which there is not");
    const auto r = unsigned(i);
    if (!check_footprint(from, r)) return false;
    *units = units_of(from, r, d.half);
    if (!check_written(*units, *lanes)) return false;
    if (w_.check_defined) w_.defined.add(*units, from == From::Shared ? LaneMask::first(kMaxLanes) : *lanes);
    switch (from) {
        case From::Full:
            for (unsigned g = 0; g < w_.groups; ++g) {
                const uint32_t bits = lanes->group(g);
                w_.full[r][g] =
                    bits == 0xffff ? v[g] : wave::select(wave::mask_of(bits), v[g], w_.full[r][g]);
            }
            break;
        case From::Half: {
            U32* word = w_.merged_registers ? w_.full[r / 2] : w_.half[r];
            const unsigned shift = w_.merged_registers ? 16 * (r & 1) : 0;
            const uint32_t half = 0xffffu << shift;
            for (unsigned g = 0; g < w_.groups; ++g) {
                const uint32_t bits = lanes->group(g);
                const U32 mask = bits == 0xffff ? wave::splat(half) : wave::mask_of(bits) & half;
                word[g] = wave::select(mask, v[g] << shift, word[g]);
            }
            break;
        }
        case From::Shared: {
            const unsigned lane = lanes->lowest();
            w_.write_shared(r, d.half, v[lane / kGroupLanes][lane % kGroupLanes]);
            *lanes = LaneMask::first(kMaxLanes);
            break;
        }
        case From::Address:
            for (unsigned g = 0; g < w_.groups; ++g) {
                const U32 a = r == 0 ? U32(I32(v[g] << 16) >> 16) : v[g] & 0xffffu;
                w_.address[r & 1][g] = wave::select(wave::mask_of(lanes->group(g)), a, w_.address[r & 1][g]);
            }
            break;
        case From::Predicate:
            for (unsigned g = 0; g < w_.groups; ++g) {
                const uint32_t bits = lanes->group(g);
                LaneMask& p = w_.predicate[r & 3];
                p.set_group(g, (p.group(g) & ~bits) | (wave::bits_of(v[g]) & bits));
            }
            break;
        default:
            break;
    }
    return true;
}

bool Execution::write(const Operand& d, unsigned repeat, const U32* v, uint64_t cycle) {
    UnitRange units;
    LaneMask lanes;
    if (d.from != From::RelativeRegister) {
        if (!place(d, repeat, v, &units, &lanes)) return false;
    } else {
        // Lanes with different addresses, one address after another.
        const LaneMask all = exec_;
        while (exec_.any()) {
            if (!place(d, repeat, v, &units, &lanes)) {
                exec_ = all;
                return false;
            }
            h_.wrote(units, !d.half, cycle + 1, lanes);
            exec_ = exec_ & ~lanes;
        }
        exec_ = all;
        return true;
    }
    if (d.from == From::Shared && core_.has_scalar_alu && s_->scalar)
        (d.half ? h_.scalar_half : h_.scalar_full).add(units, lanes);
    else if (d.from == From::Shared)
        h_.result_ss.add(units, lanes);
    else
        h_.wrote(units, d.from != From::Half, cycle + 1, lanes);
    return true;
}

bool Execution::write_result(const Operand& d, unsigned repeat, const U32* v, isa::Sync sync) {
    UnitRange units;
    LaneMask lanes;
    if (!place(d, repeat, v, &units, &lanes)) return false;
    h_.wrote_later(units);
    (sync == isa::Sync::kSy && d.from != From::Shared ? h_.result_sy : h_.result_ss).add(units, lanes);
    return true;
}

void Execution::hold_sources(bool until_ss) {
    for (unsigned i = 0; i < held_count_; ++i)
        (until_ss ? h_.source_ss : h_.source_any).add(held_[i], exec_);
    held_count_ = 0;
}

}  // namespace terrazzo::adreno::sim
