// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Values of registers, results, and their checks.
#include <algorithm>
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

// Replaces bits of the lanes' words in a row.
void put(U32* row, const U32* v, unsigned shift, uint32_t bits, const LaneMask& lanes, unsigned groups) {
    for (unsigned g = 0; g < groups; ++g) {
        const uint32_t some = lanes.group(g);
        if (some == 0xffff && bits == ~0u)
            row[g] = v[g];
        else if (some)
            row[g] = wave::select(wave::mask_of(some) & bits << shift, v[g] << shift, row[g]);
    }
}

}  // namespace

std::string register_name(isa::Reg reg, bool half) {
    const char component = "xyzw"[reg.component()];
    if (reg.number() == 61) return reg.component() == 0 ? "a0.x" : "a1.x";
    if (reg.number() == 62) return std::string("p0.") + component;
    return std::string(half ? "hr" : "r") + std::to_string(reg.number()) + "." + component;
}

bool Execution::check_footprint(From from, unsigned i) {
    if ((from == From::Full || from == From::Half) && i >= kFullRegisters)
        return fail("a register that there is not");
    if (from == From::Full && i / 4 >= w_.full_registers)
        return fail(register_name({uint8_t(i)}, false), " is beyond the shader's ", w_.full_registers,
                    " full registers");
    if (from == From::Half && i / 4 >= w_.half_registers &&
        !(w_.merged_registers && i / 8 < w_.full_registers))
        return fail(register_name({uint8_t(i)}, true), " is beyond the shader's ", w_.half_registers,
                    " half and ", w_.full_registers, " full registers");
    if (from == From::Shared && i >= kSharedRegisters) return fail("a register beyond r55.w");
    return true;
}

bool Execution::fail(const Conflict& c) {
    // By Conflict::Kind.
    constexpr const char* kWhy[] = {"",
                                    "",
                                    "is read without (ss) after what writes it",
                                    "is read without (sy) after what writes it",
                                    "is written without (ss) after what writes it, too",
                                    "is written without (sy) after what writes it, too",
                                    "is written without (ss) after what may still read it",
                                    "is written without (ss) or (sy) after what may still read it"};
    static_assert(std::size(kWhy) == unsigned(Conflict::Kind::SourceAny) + 1);
    const std::string name = name_of_unit(c.unit);
    if (c.kind != Conflict::Kind::Early) return fail(name, " ", kWhy[unsigned(c.kind)]);
    return fail(name, " is read ", c.early, c.early == 1 ? " cycle" : " cycles", " too early");
}

bool Execution::check_read(UnitRange units, bool full, uint64_t cycle, Reader reader, const LaneMask& lanes) {
    const bool scalar = core_.has_scalar_alu && s_->scalar;
    if (const Conflict c = h_.of_read(units, reader == Reader::Alu, full, scalar, cycle, lanes))
        return fail(c);
    if (reader == Reader::Unit && held_count_ < std::size(held_)) held_[held_count_++] = units;
    if (!w_.check_defined) return true;
    for (unsigned u = units.first; u < unsigned(units.first) + units.count; ++u)
        if (const LaneMask bad = lanes & ~w_.defined.lanes[u]; bad.any())
            return fail_lane(bad.lowest(), name_of_unit(u), " is read, but was never written");
    return true;
}

bool Execution::check_written(UnitRange units, const LaneMask& lanes) {
    const Conflict c = h_.of_write(units, core_.has_scalar_alu && s_->scalar, lanes);
    return !c || fail(c);
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
    if (from == From::Shared) {
        const unsigned word = (o.half ? i / 2 : i) - w_.lane_shared_first;
        if (!w_.has_lane_shared || word >= Wave::kLaneShared) [[likely]] {
            std::fill_n(room, w_.groups, wave::splat(w_.read_shared(i, o.half)));
            return room;
        }
        for (unsigned g = 0; g < w_.groups; ++g)
            room[g] = o.half ? w_.lane_shared[word][g] >> 16 * (i & 1) & 0xffffu : w_.lane_shared[word][g];
        return room;
    }
    const RowBits at = row_of(from, i, w_.merged_registers);
    if (from != From::Half || !w_.merged_registers) return w_.rows[at.row];
    for (unsigned g = 0; g < w_.groups; ++g)
        room[g] = w_.rows[at.row][g] >> at.shift & at.mask;
    return room;
}

const U32* Execution::read(const Operand& o, unsigned step, uint64_t cycle, Reader reader, U32* room) {
    if (has_row(o.from) || o.from == From::Shared)
        return read_register(o.from, unsigned(o.index) + step, o, cycle, reader, room);
    if (o.from == From::RelativeRegister) return read_relative_register(o, step, cycle, reader, room);
    if (o.from == From::Constant || o.from == From::RelativeConstant)
        return read_constant(o, step, cycle, room);
    if (o.from != From::Number) {
        fail("a source that is no register");
        return nullptr;
    }
    std::fill_n(room, w_.groups, wave::splat(o.half ? o.value & 0xffff : o.value));
    return room;
}

bool Execution::read_address(unsigned which, uint64_t cycle, Reader reader, const U32** value) {
    *value = w_.rows[kAddressRow + which];
    return check_read(units_of(From::Address, which), true, cycle, reader, exec_);
}

const U32* Execution::read_relative_register(const Operand& o, unsigned step, uint64_t cycle, Reader reader,
                                             U32* room) {
    const U32* a0;
    if (!read_address(0, cycle, reader, &a0)) return nullptr;
    const From from = o.half ? From::Half : From::Full;
    const LaneMask all = exec_;
    std::fill_n(room, w_.groups, U32{});
    const bool good = each_value(a0, nullptr, all, w_.groups, [&](unsigned lane, const LaneMask& same) {
        const int64_t i = int64_t(int32_t(at(a0, lane))) + o.index + step;
        if (i < 0 || i >= int64_t(kFullRegisters))
            return fail_lane(lane, "r<a0.x> is register ", i, ", which there is not");
        exec_ = same;
        Lanes part;
        const U32* v = read_register(from, unsigned(i), o, cycle, reader, part);
        for (unsigned g = 0; v && g < w_.groups; ++g)
            room[g] = wave::select(wave::mask_of(same.group(g)), v[g], room[g]);
        exec_ = all;
        return v != nullptr;
    });
    return good ? room : nullptr;
}

bool Execution::check_constants_written() {
    if (!h_.constants_ss && !h_.constants_sy) return true;
    return fail("a constant is read without ", h_.constants_ss ? "(ss)" : "(sy)",
                " after what writes constants");
}

bool Execution::check_constant(int64_t index, const Operand& o, unsigned lane) {
    const int64_t word = o.half && !w_.demote_constants ? index >> 1 : index;
    if (index >= 0 && word < int64_t(w_.constants.size())) return true;
    return fail_lane(lane, "c", index >> 2, ".", "xyzw"[index & 3], " is beyond the ", w_.constants.size(),
                     " words of constants that were loaded");
}

uint32_t Execution::constant(int64_t index, const Operand& o) const {
    const bool packed = o.half && !w_.demote_constants;
    const uint32_t v = w_.constants[size_t(packed ? index >> 1 : index)];
    return !o.half                       ? v
           : packed                      ? v >> 16 * (index & 1) & 0xffff
           : o.numbers == Numbers::Float ? pipe::float_to_half(std::bit_cast<float>(v))
                                         : v & 0xffff;
}

const U32* Execution::read_constant(const Operand& o, unsigned step, uint64_t cycle, U32* room) {
    if (!check_constants_written()) return nullptr;
    if (o.from == From::Constant) {
        if (!check_constant(o.index + int(step), o, exec_.any() ? exec_.lowest() : 0)) return nullptr;
        std::fill_n(room, w_.groups, wave::splat(constant(o.index + int(step), o)));
        return room;
    }
    const U32* a0;
    if (!read_address(0, cycle, Reader::Alu, &a0)) return nullptr;
    bool good = true;
    each_lane(exec_, [&](unsigned lane) {
        const int64_t i = int64_t(int32_t(at(a0, lane))) + o.index + step;
        good = good && check_constant(i, o, lane);
        if (good) put_at(room, lane, constant(i, o));
    });
    return good ? room : nullptr;
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
        const uint32_t a = at(a0, exec_.lowest());
        *lanes = lanes_with(a0, a, exec_, w_.groups);
        from = d.half ? From::Half : From::Full;
        i += int32_t(a);
    }
    if ((!has_row(from) && from != From::Shared) || i < 0 || i >= int64_t(kFullRegisters))
        return fail("register ", i, " is written, which there is not");
    const auto r = unsigned(i);
    if (!check_footprint(from, r)) return false;
    *units = units_of(from, r, d.half);
    if (!check_written(*units, *lanes)) return false;
    if (w_.check_defined) w_.defined.add(*units, from == From::Shared ? LaneMask::first(kMaxLanes) : *lanes);
    if (from == From::Shared) {
        w_.write_shared(r, d.half, at(v, lanes->lowest()));
        *lanes = LaneMask::first(kMaxLanes);
        return true;
    }
    Lanes changed;
    for (unsigned g = 0; (from == From::Address || from == From::Predicate) && g < w_.groups; ++g)
        changed[g] = from == From::Predicate ? U32(v[g] != 0u) & 1u
                     : r == 0                ? U32(I32(v[g] << 16) >> 16)
                                             : v[g] & 0xffffu;
    const RowBits to = row_of(from, r, w_.merged_registers);
    put(w_.rows[to.row], from == From::Address || from == From::Predicate ? changed : v, to.shift, to.mask,
        *lanes, w_.groups);
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
