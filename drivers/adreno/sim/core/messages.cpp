// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Instructions for fixed-function units: gathers operands, makes one call per set of lanes that name the same
// texture or buffer, writes results.
#include "drivers/adreno/sim/core/execution.h"
#include "drivers/adreno/sim/texture/operands.h"

namespace terrazzo::adreno::sim {

namespace {

using isa::Op;

}  // namespace

bool Execution::sources(unsigned reg, bool half, unsigned count, const U32** out, Lanes* room) {
    for (unsigned k = 0; k < count; ++k) {
        Operand o;
        o.half = half;
        o.from = file_of(reg + k, half, &o.index);
        if (!(out[k] = read(o, 0, h_.now, Reader::Unit, room[k]))) return false;
    }
    return true;
}

bool Execution::words(unsigned reg, bool half, unsigned count, Lanes* out) {
    for (unsigned k = 0; k < count; ++k) {
        const U32* v;
        if (!sources(reg + k, half, 1, &v, out + k)) return false;
        if (v != out[k]) std::copy_n(v, w_.groups, out[k]);
    }
    return true;
}

bool Execution::call_unit(bool (Units::*unit)(UnitCall&, std::string*), UnitCall& call) {
    if (!call.active.any()) return true;
    const core::DenormalMode keep(core::DenormalMode::Mode::Keep);
    std::string why;
    return (core_.units_->*unit)(call, &why) || fail_lane(call.active.lowest(), why);
}

// Calls the unit for each texture, and sampler, that registers name: lanes may name different ones.
bool Execution::call_by_value(bool (Units::*unit)(UnitCall&, std::string*), UnitCall& call,
                              const Lanes& texture, const Lanes* sampler) {
    Lanes out[UnitCall::kMaxOut] = {};
    const LaneMask lanes = call.active;
    const auto one = [&](unsigned lane, const LaneMask& same) {
        call.active = same;
        call.texture = at(texture, lane);
        if (sampler) call.sampler = at(*sampler, lane);
        if (!call_unit(unit, call)) return false;
        for (unsigned k = 0; k < UnitCall::kMaxOut; ++k)
            for (unsigned g = 0; g < w_.groups; ++g)
                out[k][g] = wave::select(wave::mask_of(same.group(g)), call.out[k][g], out[k][g]);
        return true;
    };
    if (!each_value(texture, sampler ? *sampler : nullptr, lanes, w_.groups, one)) return false;
    for (unsigned k = 0; k < UnitCall::kMaxOut; ++k)
        std::copy_n(out[k], w_.groups, call.out[k]);
    return true;
}

// Calls the unit for a buffer or image: its number is in the instruction or in a register.
bool Execution::for_each_index(const isa::Src& src, UnitCall& call,
                               bool (Units::*unit)(UnitCall&, std::string*)) {
    const isa::Instr& i = s_->instr;
    call.bindless = i.bindless();
    call.base = i.base();
    if (src.kind == isa::SrcKind::kImmediate) {
        call.texture = uint32_t(src.value);
        return call_unit(unit, call);
    }
    Lanes index[1];
    return words(unsigned(src.value), false, 1, index) && call_by_value(unit, call, index[0], nullptr);
}

bool Execution::texture() {
    const isa::Instr& i = s_->instr;
    const auto mode = isa::TextureMode(i.texture_mode());
    const TextureOperands operands = texture_operands(i);
    const unsigned first = operands.first_words, second = operands.second_words;
    UnitCall call{i, w_, exec_, core_.memory_};
    call.in_count = first + second;
    if (!words(unsigned(i.src[0].value), i.src[0].half, first, call.in)) return false;
    if (second && !words(unsigned(i.src[1].value), i.src[1].half, second, call.in + second_source(operands)))
        return false;
    call.bindless = is_bindless(mode);
    call.base = call.sampler_base = i.base();
    call.texture = i.texture();
    if (uses_a1(mode) && exec_.any()) {
        const U32* a1;
        if (!read_address(1, h_.now, Reader::Unit, &a1)) return false;
        const uint32_t a = at(a1, exec_.lowest());
        call.sampler_base = a & 7;
        if (mode == isa::TextureMode::kBindlessA1Immediate) call.texture = a >> 3 & 0xff;
    }
    call.sampler = i.sampler();
    Lanes index[2];
    if (!is_indirect(mode)) {
        if (!call_unit(&Units::texture, call)) return false;
    } else {
        // The texture's number, then the sampler's (Mesa 25.0.7, get_tex_samp_tex_src).
        if (!words(unsigned(i.src[2].value), i.src[2].half, 2, index)) return false;
        if (!call_by_value(&Units::texture, call, index[0], &index[1])) return false;
    }
    for (unsigned k = 0; k < 4; ++k)
        if (i.write_mask() >> k & 1 && !write_result(s_->dst[0], k, call.out[k], i.info().sync)) return false;
    return true;
}

// samgp0 to samgp3 are samgq for stages without quads: each samples one lane of every four (Mesa 25.0.7,
// samgq_workaround).
bool Execution::texture_of_fourth() {
    constexpr uint64_t kFirstOfFour = 0x1111111111111111;
    const uint64_t word = kFirstOfFour << (unsigned(s_->instr.op) - unsigned(Op::kSamgp0));
    const LaneMask all = exec_;
    exec_ = exec_ & LaneMask{{word, word}};
    const bool good = texture();
    exec_ = all;
    return good;
}

bool Execution::varying() {
    const isa::Instr& i = s_->instr;
    UnitCall call{i, w_, exec_, core_.memory_};
    if (i.op == Op::kLdlv) {
        for (U32& g : call.in[0])
            g = wave::splat(uint32_t(i.offset));
        call.in_count = 1;
        if (i.size() > UnitCall::kMaxOut) return fail("ldlv of more than 4 words");
        if (!call_unit(&Units::varying, call)) return false;
        for (unsigned k = 0; k < i.size(); ++k)
            if (!write_result(s_->dst[0], k, call.out[k], isa::Sync::kSs)) return false;
        return true;
    }
    // The ALU waits for these sources as for others, and its result comes like others.
    Lanes room[3];
    const auto take = [&](const Operand& o, unsigned n, unsigned late) {
        const U32* v = read(o, 0, h_.now + o.late + late, Reader::Alu, room[n]);
        for (unsigned g = 0; v && g < w_.groups; ++g)
            call.in[n][g] = v[g];
        return v != nullptr;
    };
    Operand j = s_->src[1];
    if (!take(s_->src[0], 0, 0)) return false;
    call.in_count = 1;
    if (i.op == Op::kBaryF && s_->dst[0].from != From::Nowhere) {
        if (!take(j, 1, 0)) return false;
        ++j.index;
        // The second word of a repeated one may be written a cycle later (Mesa 25.0.7, ir3_legalize.c,
        // delay_calc).
        if (!take(j, 2, s_->repeat ? 1 : 0)) return false;
        call.in_count = 3;
    }
    // The bary.f that only ends the inputs, (ei)r63.x: its sources do not matter.
    if (s_->dst[0].from == From::Nowhere) return true;
    // The unit of bary.f flushes denormals, as the ALU does.
    if (i.op == Op::kBaryF) {
        std::string why;
        if (call.active.any() && !core_.units_->varying(call, &why))
            return fail_lane(call.active.lowest(), why);
    } else if (!call_unit(&Units::varying, call)) {
        return false;
    }
    for (unsigned r = 0; r <= s_->repeat; ++r) {
        U32* v = call.out[s_->src[0].repeat ? r : 0];
        if (s_->dst[0].half && i.op == Op::kBaryF) {
            Lanes half;
            for (unsigned g = 0; g < w_.groups; ++g)
                half[g] = wave::to_halves(wave::as_float(v[g]));
            if (!write(s_->dst[0], r, half, h_.now + r)) return false;
        } else if (!write(s_->dst[0], r, v, h_.now + r)) {
            return false;
        }
    }
    return true;
}

bool Execution::uniform_buffer() {
    const isa::Instr& i = s_->instr;
    UnitCall call{i, w_, exec_, core_.memory_};
    call.in_count = 1;
    if (i.src[0].kind == isa::SrcKind::kImmediate) {
        for (U32& g : call.in[0])
            g = wave::splat(uint32_t(i.src[0].value));
    } else if (!words(unsigned(i.src[0].value), false, 1, call.in)) {
        return false;
    }
    if (!for_each_index(i.src[1], call, &Units::uniform_buffer)) return false;
    for (unsigned k = 0; k < i.components() && k < UnitCall::kMaxOut; ++k)
        if (!write_result(s_->dst[0], k, call.out[k], isa::Sync::kSy)) return false;
    return true;
}

// ldc.k: vectors of a uniform buffer become constants, from word a1.x on. One lane does it.
bool Execution::load_constants() {
    const isa::Instr& i = s_->instr;
    const U32* a1;
    if (!exec_.any()) return true;
    if (!read_address(1, h_.now, Reader::Unit, &a1)) return false;
    const unsigned lane = exec_.lowest();
    const uint32_t to = at(a1, lane);
    if (uint64_t(to) + 4 * i.vectors() > w_.writable_constants.size())
        return fail("constants from word ", to, " on are written, and there are ",
                    w_.writable_constants.size(), " words that may be");
    UnitCall call{i, w_, exec_, core_.memory_};
    if (i.src[0].kind != isa::SrcKind::kImmediate && !words(unsigned(i.src[0].value), false, 1, call.in))
        return false;
    const uint32_t offset =
        i.src[0].kind == isa::SrcKind::kImmediate ? uint32_t(i.src[0].value) : at(call.in[0], lane);
    for (unsigned v = 0; v < i.vectors(); ++v) {
        call.active = {};
        call.active.set(lane);
        call.in_count = 1;
        for (U32& g : call.in[0])
            g = wave::splat(offset + v);
        held_count_ = v ? 0 : held_count_;
        if (!for_each_index(i.src[1], call, &Units::uniform_buffer)) return false;
        for (unsigned k = 0; k < 4; ++k)
            w_.writable_constants[to + 4 * v + k] = at(call.out[k], lane);
    }
    h_.constants_sy = true;
    return true;
}

bool Execution::image() {
    const isa::Instr& i = s_->instr;
    UnitCall call{i, w_, exec_, core_.memory_};
    const bool query = i.op == Op::kResinfoB || i.op == Op::kResbase, store = i.op == Op::kStibB,
               load = i.op == Op::kLdibB;
    const unsigned from = store ? 1 : 0;  // the source with the coordinates
    unsigned results = query ? (i.op == Op::kResinfoB ? 3 : 2) : load ? i.components() : store ? 0 : 1;
    if (!query) {
        call.in_count = i.dimensions();
        if (!words(unsigned(i.src[from].value), false, i.dimensions(), call.in)) return false;
    }
    if (store && !words(unsigned(i.src[0].value), i.src[0].half, i.components(), call.in + 8)) return false;
    if (!query && !store && !load) {
        // Atomics: the data are in the registers after the result.
        if (i.atomic_type() != isa::AtomicType::kU32 && i.atomic_type() != isa::AtomicType::kS32)
            return fail("not implemented: atomics but of u32 and s32");
        if (!words(i.dst[0].reg.index + 1u, false, i.op == Op::kAtomicBCmpxchg ? 2 : 1, call.in + 8))
            return false;
    }
    if (!load && !query) call.active = effective();
    const isa::Src& index = i.src[store ? 2 : query ? 0 : 1];
    if (!for_each_index(index, call, &Units::image)) return false;
    for (unsigned k = 0; k < results && k < UnitCall::kMaxOut; ++k)
        if (!write_result(s_->dst[0], k, call.out[k], i.info().sync)) return false;
    return true;
}

// Instructions of category 5 that exchange values between lanes; `is`: whether it is one.
bool Execution::between_lanes(bool* is) {
    *is = true;
    switch (s_->instr.op) {
        case Op::kDsx:
        case Op::kDsy:
        case Op::kDsxpp1:
        case Op::kDsypp1:
            return derivative();
        case Op::kSamgp0:
        case Op::kSamgp1:
        case Op::kSamgp2:
        case Op::kSamgp3:
            return texture_of_fourth();
        case Op::kBrcstActive:
            return broadcast_active();
        case Op::kQuadBroadcast:
        case Op::kQuadHorizontal:
        case Op::kQuadVertical:
        case Op::kQuadDiagonal:
            return quad_shuffle();
        case Op::kShfl:
            return shuffle();
        case Op::kTcinv:
            return true;
        default:
            *is = false;
            return true;
    }
}

// Instructions of category 6 that the core executes itself, and uniform buffers.
bool Execution::memory(bool* is) {
    *is = true;
    const Op op = s_->instr.op;
    switch (op) {
        case Op::kLdc:
            return uniform_buffer();
        case Op::kLdcK:
            return load_constants();
        case Op::kLdg:
        case Op::kLdgA:
        case Op::kStg:
        case Op::kStgA:
            return access(Place::Global);
        case Op::kLdl:
        case Op::kLdlw:
        case Op::kStl:
        case Op::kStlw:
            return access(Place::Local);
        case Op::kLdp:
        case Op::kStp:
            return access(Place::Own);
        case Op::kStc:
            return store_constants();
        case Op::kGetspid:
        case Op::kGetwid:
        case Op::kGetfiberid:
            return identity();
        case Op::kLdgK:
            return fail("not implemented: ldg.k");
        default:
            if (op >= Op::kAtomicAdd && op <= Op::kAtomicXor) return atomic(false);
            if (op >= Op::kAtomicGAdd && op <= Op::kAtomicGXor) return atomic(true);
            *is = false;
            return true;
    }
}

bool Execution::message() {
    const isa::Instr& i = s_->instr;
    const isa::OpInfo& info = i.info();
    held_count_ = 0;
    if (i.op == Op::kBaryF || i.op == Op::kFlatB) return varying();
    bool done = false;
    if (!between_lanes(&done) || (!done && !memory(&done))) return false;
    if (!done && !(info.texture.is ? texture() : i.op == Op::kLdlv ? varying() : image())) return false;
    const bool stores = info.is(isa::kWritesMemory) && info.dest_count == 0;
    const bool local_result = info.sync == isa::Sync::kSs && !info.is(isa::kWritesMemory);
    if (info.is(isa::kReadsLate)) hold_sources(stores || i.op == Op::kStc || local_result);
    return true;
}

}  // namespace terrazzo::adreno::sim
