// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The common properties of each kind of instructions: the beginnings of rows in ops_*.inc. Only table.cpp
// includes this.
#pragma once
#include "drivers/adreno/isa/row.h"

namespace terrazzo::adreno::isa::row {

constexpr Row start(uint8_t category, Unit unit) {
    Row row;
    row.info.category = category;
    return row.is(61, 3, category).number(kSy, 60, 1).number(kJp, 59, 1).unit(unit);
}

// ---- Category 0: flow ----
constexpr Row flow(unsigned opc, unsigned high = 0) {
    return start(0, Unit::kFlow).is(55, 4, opc).is(49, 1, high).flag(kSs, 44);
}
constexpr Row plain(unsigned opc, unsigned high = 0) {
    return flow(opc, high).flag(kEq, 48).number(kRepeat, 40, 3).form_is("");
}
constexpr Row jump(unsigned opc, unsigned high = 0) {
    return flow(opc, high).offset({0, 32}, true).trait(kEndsBlock).form_is(" #{target}");
}
constexpr Row branch(unsigned type) {
    return flow(1).is(37, 3, type).flag(kEq, 48).offset({0, 32}, true).trait(kEndsBlock);
}
constexpr Row branch1(unsigned type) {
    return branch(type).src(kPredicate, 52).form_is(" {s0}, #{target}");
}
constexpr Row branch2(unsigned type) {
    return branch(type).src(kPredicate, 52).src(kPredicate, 45).form_is(" {s0}, {s1}, #{target}");
}

// ---- Category 1: moves ----
constexpr Row move(unsigned opc) {
    return start(1, Unit::kAlu).is(57, 2, opc).flag(kSs, 44).flag(kUl, 45);
}
constexpr Row typed_move(unsigned opc) {
    return move(opc).number(kRound, 55, 2).number(kDestType, 46, 3).number(kSourceType, 50, 3);
}
constexpr Row many(unsigned sub) {
    return typed_move(2).is(40, 2, sub).dest(32, Half::kDestType);
}

// ---- Category 2: one and two sources ----
constexpr Row alu(unsigned opc) {
    return start(2, Unit::kAlu)
        .is(53, 6, opc)
        .dest(32, Half::kConverted)
        .number(kRepeat, 40, 2)
        .flag(kSat, 42)
        .flag(kSs, 44)
        .flag(kUl, 45)
        .convert_at(46)
        .flag(kEi, 47)
        .full_at(52);
}
constexpr Row alu1(unsigned opc) {
    return alu(opc).src(kMulti, 0, Half::kOperation).repeat_at(43).nop_at(43, 51).form_is(" {ei}{d0}, {s0}");
}
constexpr Row two(Row row) {
    return row.src(kMulti, 0, Half::kOperation).repeat_at(43).src(kMulti, 16, Half::kOperation).repeat_at(51);
}
constexpr Row alu2(unsigned opc) {
    return two(alu(opc)).nop_at(43, 51).form_is(" {ei}{d0}, {s0}, {s1}");
}
constexpr Row compare(unsigned opc) {
    return alu2(opc).number(kCondition, 48, 3).form_is(".{condition} {ei}{d0}, {s0}, {s1}");
}
constexpr Row input(unsigned flat) {
    return two(alu(57)).is(50, 1, flat).trait(kReadsInput).form_is(" {ei}{d0}, {s0}, {s1}");
}

// ---- Category 3: three sources ----
constexpr Row three(unsigned opc, unsigned alternative, Shape first, Shape last) {
    return start(3, Unit::kAlu)
        .is(55, 4, opc)
        .is(13, 1, alternative)
        .flag(kSs, 44)
        .flag(kUl, 45)
        .src(first, 0, Half::kOperation)
        .src(kRegister, 47, Half::kOperation)
        .src(last, 16, Half::kOperation)
        .form_is(" {d0}, {s0}, {s1}, {s2}");
}
/// The bits of (r) and (neg) of all three sources, and of (nop).
constexpr Row signs(Row row, bool last_neg) {
    row.claim({43, 1}).claim({15, 1}).claim({29, 1}).claim({14, 1}).claim({30, 1});
    auto& s = row.info.source_rows;
    s[0].repeat = {43, 1};
    s[1].repeat = {15, 1};
    s[2].repeat = {29, 1};
    s[0].neg = {14, 1};
    s[1].neg = {30, 1};
    if (last_neg) {
        row.claim({31, 1});
        s[2].neg = {31, 1};
    }
    return row.number(kRepeat, 40, 2).nop_at(43, 15);
}
constexpr Row alu3(unsigned opc) {
    return signs(three(opc, 0, kTriple, kTriple), true)
        .dest(32, Half::kConverted)
        .convert_at(46)
        .flag(kSat, 42);
}
constexpr Row shift3(unsigned opc) {
    return signs(three(opc, 1, kTripleNumber, kTripleNumber), true)
        .dest(32, Half::kConverted)
        .convert_at(46)
        .full_at(42, 1);
}
constexpr Row dot(unsigned four) {
    return three(13, 1, kTripleRegister, kTripleRegister)
        .neg_at(31)
        .claim({43, 1})
        .claim({15, 1})
        .nop_at(43, 15)
        .is(46, 1, four)
        .dest(32)
        .number(kDotSign, 14, 1)
        .number(kDotHalf, 30, 1)
        .flag(kSat, 42)
        .form_is("{dot_sign}{dot_half} {d0}, {s0}, {s1}, {s2}");
}
constexpr Row matrix(unsigned accumulates) {
    return signs(three(14, 1, kTripleRegister, kTripleNumber), false)
        .is(42, 1, accumulates)
        .full_at(31, 1)
        .dest(32, Half::kOwnBit)
        .dest_full_at(46)
        .trait(accumulates ? kReadsDest : 0);
}

// ---- Category 4: special functions ----
constexpr Row special(unsigned opc) {
    return start(4, Unit::kSfu)
        .waits(Sync::kSs)
        .trait(kReadsLate)
        .is(53, 6, opc)
        .dest(32, Half::kConverted)
        .number(kRepeat, 40, 2)
        .flag(kSat, 42)
        .src(kMulti, 0, Half::kOperation)
        .repeat_at(43)
        .flag(kSs, 44)
        .flag(kUl, 45)
        .convert_at(46)
        .full_at(52)
        .form_is(" {d0}, {s0}");
}

// ---- Category 5: textures ----
constexpr Row sampled(unsigned opc, uint8_t sources) {
    Row row = start(5, Unit::kTexture);
    row.info.texture.is = true;
    row.info.texture.sources = sources;
    row.waits(Sync::kSy)
        .trait(kReadsLate)
        .is(54, 5, opc)
        .claim({1, 16})
        .claim({19, 13})
        .claim({47, 1})
        .claim({51, 1});
    row.full_at(0);
    row.info.source_count = 3;  // texture.cpp has their positions: two of coordinates, the texture's
    row.info.source_rows[0].half = row.info.source_rows[1].half = Half::kOperation;
    row.info.source_rows[2].half = Half::kUnlessBindless;
    return row.dest(32, Half::kType)
        .number(kWriteMask, 40, 4)
        .number(kType, 44, 3)
        .flag(kCube, 48)
        .flag(kArray, 49)
        .flag(kOffset, 52)
        .number(kTextureMode, 0, 0)
        .number(kBase, 0, 0)
        .number(kSampler, 0, 0)
        .number(kTexture, 0, 0);
}
enum Has : uint8_t { kNothing = 0, kHasType = 1, kHasTexture = 2, kHasSampler = 4, kAll = 7 };
constexpr Row texture(unsigned opc, uint8_t sources, unsigned has = kAll) {
    Row row = sampled(opc, sources);
    row.trait(has & kHasTexture ? kReadsMemory : 0);
    row.info.texture.type = has & kHasType;
    row.info.texture.texture = has & kHasTexture;
    row.info.texture.sampler = has & kHasSampler;
    return row.flag(kShadow, 50)
        .flag(kProjected, 53)
        .form_is("{cube}{array}{coordinate_offset}{projected}{shadow}{descriptor}{operands}");
}
constexpr Row fetch(unsigned opc) {
    Row row = sampled(opc, 1);
    row.trait(kReadsMemory);
    row.info.texture.type = row.info.texture.texture = row.info.texture.sampler = true;
    row.info.offset = {{9, 8}, {}, {53, 1}, false};
    return row.claim({53, 1})
        .unset_flag(kOneDimension, 18)
        .flag(kVector, 50)
        .form_is("{cube}{array}{coordinate_offset}{vector}{descriptor}{one_dimension}{operands}");
}
/// Exchanges between invocations of a wave.
constexpr Row exchange(unsigned opc6) {
    return start(5, Unit::kTexture)
        .waits(Sync::kSy)
        .trait(kReadsLate | kNeedsHelpers)
        .is(53, 6, opc6)
        .full_at(0)
        .src(kRegister, 1, Half::kOperation)
        .dest(32, Half::kType)
        .number(kWriteMask, 40, 4)
        .number(kType, 44, 3);
}
constexpr Row quad(unsigned variant, bool second = false) {
    Row row = exchange(63).is(19, 2, variant);
    if (second) row.src(kRegister, 9, Half::kOperation);
    return row.form_is(second ? " ({type})({write_mask}){d0}, {s0}, {s1}"
                              : " ({type})({write_mask}){d0}, {s0}");
}

// ---- Category 6: memory ----
constexpr Row memory(unsigned opc, unsigned sub) {
    return start(6, Unit::kMemory).trait(kReadsLate).is(54, 5, opc).is(52, 2, sub);
}
constexpr Row typed_memory(unsigned opc, unsigned sub) {
    return memory(opc, sub).number(kType, 49, 3);
}
constexpr Row global_load() {
    return typed_memory(0, 0).waits(Sync::kSy).trait(kReadsMemory).is(0, 1, 1).is(23, 1, 1);
}
constexpr Row global_store(unsigned computed) {
    return typed_memory(3, computed).trait(kWritesMemory).is(23, 1, 1).is(40, 1, 1).number(kSize, 24, 3);
}
constexpr Row local_load(unsigned opc, Sync sync, Half half, const char* form) {
    return typed_memory(opc, 0)
        .waits(sync)
        .trait(kReadsMemory)
        .is(0, 1, 1)
        .is(23, 1, 1)
        .offset({1, 13}, true)
        .src(kRegister, 14)
        .number(kSize, 24, 8)
        .dest(32, half)
        .form_is(form);
}
constexpr Row local_store(unsigned opc, const char* form) {
    return typed_memory(opc, 0)
        .trait(kWritesMemory)
        .is(23, 1, 1)
        .is(40, 1, 1)
        .src(kRegister, 41)
        .src(kRegister, 1)
        .offset({32, 8}, true, {9, 5})
        .number(kSize, 24, 8)
        .form_is(form);
}
constexpr Row counted(Row row) {
    return row.number(kDimensions, 9, 2, 1).number(kTyped, 11, 1).number(kComponents, 12, 2, 1);
}
constexpr Row local_atomic(unsigned opc) {
    return counted(typed_memory(opc, 0))
        .waits(Sync::kSs)
        .trait(kReadsMemory | kWritesMemory)
        .is(0, 1, 1)
        .src(kOrImmediate, 14)
        .immediate_at(22)
        .src(kOrImmediate, 24)
        .immediate_at(23)
        .dest(32)
        .form_is(".{typed}.{dimensions}d.{type}.{components}.l {d0}, l[{s0}], {s1}");
}
constexpr Row global_atomic(unsigned opc) {
    return counted(memory(opc, 1))
        .waits(Sync::kSy)
        .trait(kReadsMemory | kWritesMemory)
        .number(kAtomicType, 49, 3)
        .is(0, 1, 1)
        .src(kOrImmediate, 14)
        .immediate_at(22)
        .src(kOrImmediate, 24)
        .immediate_at(23)
        .dest(32)
        .form_is(".{typed}.{dimensions}d.{atomic_type}.{components}.g {d0}, {s0}, {s1}");
}
/// Accesses to a buffer or image of a table.
constexpr Row indexed(unsigned opc, unsigned sub) {
    return start(6, Unit::kMemory)
        .trait(kReadsLate)
        .is(52, 2, sub)
        .is(14, 6, opc)
        .number(kBase, 1, 3)
        .number(kIndexMode, 6, 2)
        .flag(kBindless, 8);
}
constexpr Row image(unsigned opc) {
    return counted(indexed(opc, 2)).is(20, 3, 6).number(kType, 49, 3).offset({54, 5}, false, {4, 2}, {23, 1});
}
constexpr Row image_atomic(unsigned opc) {
    return counted(indexed(opc, 3))
        .waits(Sync::kSy)
        .trait(kReadsMemory | kWritesMemory | kReadsDest)
        .is(54, 5, 0)
        .is(20, 4, 6)
        .number(kAtomicType, 49, 3)
        .dest(32)
        .src(kRegister, 24)
        .src(kIndexed, 41)
        .form_is(".{typed}.{dimensions}d.{atomic_type}.{components}.{index_mode}{base} {d0}, {s0}, {s1}");
}
constexpr Row image_query(unsigned opc) {
    return counted(indexed(opc, 2))
        .waits(Sync::kSs)
        .is(54, 5, 0)
        .is(20, 4, 6)
        .number(kType, 49, 3)
        .dest(32)
        .src(kIndexed, 41)
        .form_is(".{typed}.{dimensions}d.{type}.{components}.{index_mode}{base} {d0}, {s0}");
}
constexpr Row constants(unsigned sub) {
    return indexed(30, sub)
        .waits(Sync::kSy)
        .trait(kReadsMemory)
        .is(54, 5, 0)
        .is(22, 1, 1)
        .is(49, 2, 3)
        .src(kOrImmediate, 24)
        .immediate_at(23)
        .src(kIndexed, 41);
}
constexpr Row identity(unsigned opc, unsigned bits22) {
    return memory(0, 2)
        .waits(Sync::kSs)
        .is(14, 6, opc)
        .is(20, 4, bits22)
        .dest(32)
        .number(kType, 49, 3)
        .form_is(".{type} {d0}");
}

// ---- Category 7: barriers ----
constexpr Row barrier(unsigned opc) {
    return start(7, Unit::kBarrier).flag(kSs, 44).is(55, 4, opc).trait(kOrders);
}
constexpr Row fence(unsigned opc) {
    return barrier(opc)
        .is(49, 1, 1)
        .flag(kWrites, 51)
        .flag(kReads, 52)
        .flag(kLocal, 53)
        .flag(kGlobal, 54)
        .form_is("{global_memory}{local_memory}{reads}{writes}");
}
constexpr Row cache(unsigned opc) {
    return barrier(opc).is(52, 1, 0).number(kCacheScope, 51, 1).form_is("{cache_scope}");
}

}  // namespace terrazzo::adreno::isa::row
