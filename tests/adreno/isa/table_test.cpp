// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The facts of ir3's tables, as literals; and the reasons why words, instructions and lines are refused.
#include <doctest/doctest.h>

#include <string>

#include "drivers/adreno/isa/isa.h"

using namespace terrazzo::adreno::isa;

namespace {

struct RefusedWord {
    uint64_t word;
    const char* reason;
};
constexpr RefusedWord kRefusedWords[] = {
    {0xffffffffffffffff, "reserved: no instruction of category 7 has these bits"},
    {0x0000000000000001, "nop: reserved bits 0000000000000001 are set"},
    {0x0010104002010001, "nop: reserved bits 0010004002010001 are set"},
    {0x4010400200010301, "source 0x0301 is reserved"},
    {0x40104002280c0001, "add.f: source 1, 12, is outside 0..11"},
    {0x401040022c000001, "add.f: source 1 has not the precision of the operation"},
    {0x4013c0f820010009, "add.f: reserved bits 0003000000000000 are set"},
    {0x2020000000000820, "constant 0x00000820 is reserved"},
    {0x2040000500013900, "mov: a number of 16 bits cannot be 0x13900"},
    {0x204c080500000001, "mov: only mova has (r) before a number"},
    {0x2060000000000000, "source 0x00000000 is reserved"},
    {0x6481810910a99899, "source 0x1899 is reserved"},
    {0xa0c01f040cc20005, "sam: reserved bits 0000000000020000 are set"},
    {0xa0c01f040cc80005, "sam: bits 0000000000080000 are reserved in this form"},
    {0xa380110200200001, "dsx: bits 0000000000200000 are reserved in this form"},
    {0xa3488f08c0000001, "getinfo: bits 0000000000000001 are reserved in this form"},
    {0xa3482f08c0000002, "getinfo: bits 0000000000000002 are reserved in this form"},
    {0xa0c81f04e4200206, "sam: bits 0000000000000200 are reserved in this form"},
    {0xa0c81f070108000b, "sam: bits 0000000000080000 are reserved in this form"},
    {0xa0301f0100002001, "isam cannot have .o here"},
    {0xc026020003676114, "stib.b: an offset, but not the bit that says so"},
    {0xc0260200036761c0, "stib.b: value 3 of index_mode is reserved"},
    {0xc02602000367610f, "reserved: no instruction of category 6 has these bits"},
    {0xc6e4000d05800002, "shfl: value 0 of shuffle is reserved"},
    {0xe108000000000001, "sleep: reserved bits 0000000000000001 are set"},
    {0xe218000000000000, "reserved: no instruction of category 7 has these bits"},
    {0xc18a000000000000, "reserved: no instruction of category 6 has these bits"},
    {0xc70602200380001e, "stc: reserved bits 0000020000000000 are set"},
    {0x4010c0f800010009, "add.f: a predicate has no precision to convert to"},
    {0x0080002800000004, "brao: reserved bits 0000000800000000 are set"},
    {0xc026020003676006, "stib.b: only bindless forms have a base"},
    {0x0080012000000004, "brao: reserved bits 0000010000000000 are set"},
    {0xa600210500000001, "dsxpp.1: the type is f32 or f16"},
    {0x50114000000000f8, "add.f: reserved bits 0001000000000000 are set"},
    {0xc0d2490602800804, "stg.a: reserved bits 0000000000000800 are set"},
    {0x0280000000000001, "kill: reserved bits 0000000000000001 are set"},
    {0xe2d2000000000000, "reserved: no instruction of category 7 has these bits"},
    {0xe45401a0bfba7736, "reserved: no instruction of category 7 has these bits"},
    {0xc380941e0703c079, "reserved: no instruction of category 6 has these bits"},
    {0xc1a200060600ba01, "reserved: no instruction of category 6 has these bits"},
    {0x2f8cf1e300000000, "movmsk: reserved bits 0180000000000000 are set"},
    {0xc0c0502400800020, "reserved: no instruction of category 6 has these bits"},
    {0xc3c9000200000400, "reserved: no instruction of category 6 has these bits"},
};

struct RefusedLine {
    const char* line;
    const char* reason;
};
constexpr RefusedLine kRefusedLines[] = {
    {"", "no instruction is named "},
    {"nopp", "no instruction is named nopp"},
    {"nop 1", "nop: '1' is too much"},
    {"(nop1)nop", "nop has no nop"},
    {"(rpt8)nop", "there is no flag '(rpt8)'"},
    {"(sy)(sy)nop", "sy is said twice"},
    {"(sx)nop", "there is no flag '(sx)'"},
    {"(rpt1", "there is no flag '(rpt1'"},
    {"br p0.x", "'' where ',' belongs"},
    {"br p0.x, 4", "'4' where '#' belongs"},
    {"br r0.x, #4", "br: source 0, 0, is outside 248..251"},
    {"br p0.x, #2147483648", "2147483648 is outside -2147483648..2147483647"},
    {"brac.32 #1", "brac: branch_index cannot be 32"},
    {"getlast.w9 #4", "a cluster has a power of two invocations"},
    {"mov.f32s32 r0.x, r0.y", "cov converts, mov does not"},
    {"cov.f32f32 r0.x, r0.y", "cov converts, mov does not"},
    {"cov.f32f64 r0.x, r0.y", "'f64 r0.x, r0.y' is no type"},
    {"mov.f32f32 r0.x, hr0.y", "mov: source 0 is of full precision"},
    {"mov.f32f32 hr0.x, r0.y", "mov: destination 0 is a full register"},
    {"mov.f32f32 r64.x, r0.y", "64 is outside 0..63"},
    {"mov.f32f32 r0.v, r0.y", "'v, r0.y' is no component (.x)"},
    {"mov.f32f32 r0.x, c512.x", "512 is outside 0..511"},
    {"mov.f32f32 r0.x, (neg)r1.x", "mov: source 0 has no (neg) or (abs)"},
    {"mov.f32f32 r0.x, (nan)", "'nan' is not a number that a float can have"},
    {"mov.f16f16 hr0.x, h(0.1)", "'0.1' is not a number that a half can have"},
    {"mov.u32u32 r0.x, (1.0)", "(1.0) is a float, but the type is not"},
    {"mov.s16s16 hr0.x, 65536", "mov: a number of 16 bits cannot be 0x10000"},
    {"mov.f32f32 r0.x, r<a0.x + 512>", "mov: source 0, 512, is outside -512..511"},
    {"mov.f32f32 r<a0.x + 256>, r0.x", "a destination cannot be at a0.x + 256"},
    {"mov.f32f32 r0.x, (r)(1.0)", "mov: only mova has (r) before a number"},
    {"mova a0.y, hr0.x", "'a0.y, hr0.x' where 'a0.x' belongs"},
    {"(rpt4)mov.f32f32 r0.x, r0.y", "mov: repeat cannot be 4"},
    {"add.f r0.x, r0.y", "'' where ',' belongs"},
    {"add.f r0.x, r0.y, r0.z, r0.w", "add.f: ', r0.w' is too much"},
    {"add.f r0.x, r0.y, hr0.z", "add.f: source 1 is of full precision"},
    {"add.f r0.x, r0.y, h(0.5)", "add.f: source 1 is of full precision"},
    {"add.f r0.x, r0.y, 1024", "add.f: source 1, 1024, is outside -1024..1023"},
    {"add.f r0.x, r0.y, (0.25)", "'0.25' is not a number"},
    {"add.f r0.x, (r)r0.y, r0.z", "add.f: source 0 has (r), but nothing repeats"},
    {"(nop4)add.f r0.x, r0.y, r0.z", "add.f: (nop4) and (rpt0)"},
    {"(rpt1)(nop1)add.f r0.x, r0.y, r0.z", "add.f: (nop1) and (rpt1)"},
    {"(nop1)bary.f r0.x, 0, r0.z", "bary.f has no nop"},
    {"add.f r<a0.x>, r0.y, r0.z", "add.f cannot write relative to a0.x"},
    {"add.f r0.x, (neg)(absneg)r0.y, r0.z", "a source says (absneg) twice"},
    {"cmps.f r0.x, r0.y, r0.z", "'r0.x, r0.y, r0.z' where '.' belongs"},
    {"cmps.f.nn r0.x, r0.y, r0.z", "'nn r0.x, r0.y, r0.z' is no condition"},
    {"mad.f32 r0.x, r0.y, c0.x, r0.z", "mad.f32: source 1 cannot be of this kind"},
    {"mad.f32 r0.x, r0.y, r0.z, 1", "mad.f32: source 2 cannot be of this kind"},
    {"mad.f32 r0.x, (abs)r0.y, r0.z, r0.w", "mad.f32: source 0 has no (neg) or (abs)"},
    {"mad.f16 hr0.x, r0.y, hr0.z, hr0.w", "mad.f16: source 0 is of half precision"},
    {"shlg r0.x, 4096, r0.y, r0.z", "4096 is outside -1024..4095"},
    {"shlg r0.x, c0.x, r0.y, r0.z", "shlg: source 0 cannot be of this kind"},
    {"dp2acc.low r0.x, r0.y, r0.z, r0.w", "'.low r0.x, r0.y, r0.z, r0.w' is no dot_sign"},
    {"sam (f32)(xyzw)r1.x, r0.z, s#16, t#6", "sam cannot say s#16 here"},
    {"sam (f32)(xyzw)r1.x, r0.z, s#6", "'' where ',' belongs"},
    {"sam (f32)(xyzw)r1.x, r0.z, s#6, t#128", "128 is outside 0..127"},
    {"sam (f32)(xyzw)hr1.x, r0.z, s#6, t#1", "sam: destination 0 is a full register"},
    {"sam (f32)(wx)r1.x, r0.z, s#6, t#1", "'x)r1.x, r0.z, s#6, t#1' where ')' belongs"},
    {"sam.base8 (f32)(xyzw)r1.x, r0.z, s#3, t#2", "8 is outside 0..7"},
    {"sam.s2en (f32)(xyzw)r1.x, r0.z, r0.x", ".s2en is .uniform or .nonuniform"},
    {"sam.s2en.uniform (f32)(xyzw)r1.x, r0.z, r0.x", "sam: source 2 is a plain half register"},
    {"sam.s2en.uniform.base0 (f32)(xyzw)r1.x, r0.z, hr0.x", "sam: source 2 is a plain full register"},
    {"sam (f32)(xyzw)r1.x, r0.z, s#1, a1.x", "only bindless forms use a1.x"},
    {"sam.o (f32)(xyzw)r1.x, r0.z, s#1, t#1", "'' is not a number"},
    {"getinfo.o (f32)(xyzw)r1.x, t#1", "'' is not a number"},
    {"isam.o (f32)(xyzw)r1.x, r0.z+1, r0.x, s#1, t#1", "isam cannot have .o here"},
    {"dsx.s2en.uniform (f32)(x)r0.z, r0.x, hr0.x", "dsx reads no texture"},
    {"ldg.u32 r1.z, g[r1.z+4096], 1", "ldg: offset 4096 does not fit into 13 bits"},
    {"ldg.u32 r1.z, g[r1.z], 8", "ldg: size cannot be 8"},
    {"ldg.u32 hr1.z, g[r1.z], 1", "ldg: destination 0 is a full register"},
    {"ldg.a.f32 r1.w, g[r1.y+(r1.w+4)<<2], 3", "ldg.a: offset 4 does not fit into 2 bits"},
    {"ldg.a.f32 r1.w, g[r1.y+r1.w<<2+2<<2], 3", "2 is outside 3..5"},
    {"stc.u32 c[256], r0.x, 3", "256 is outside 0..255"},
    {"stib.b.untyped.5d.u32.3.imm.base0 r0.x, r0.w, 1", "stib.b: dimensions cannot be 5"},
    {"stib.b.untyped.1d.u32.3.imm.base0 r0.x, r0.w, r1.x", "stib.b: source 2 is not what the mode says"},
    {"stib.b.untyped.1d.u32.3.uniform.base0 r0.x, r0.w, 1", "stib.b: source 2 is not what the mode says"},
    {"stib.b.untyped.1d.u32.3.imm r0.x, r0.w+128, 1", "stib.b: offset 128 does not fit into 7 bits"},
    {"ldc.offset4.1.imm r0.x, r0.x, 0", "ldc: first_component cannot be 4"},
    {"ldc.257.k.imm.base0 c[a1.x], 0, 0", "ldc.k: vectors cannot be 257"},
    {"ldc.1.k.imm.base0 c[a0.x], 0, 0", "'a0.x], 0, 0' where 'a1.x' belongs"},
    {"shfl.sideways.u32 r0.x, r0.y, 5", "'sideways.u32 r0.x, r0.y, 5' is no shuffle"},
    {"shfl.up.u32 r0.x, r0.y, 256", "shfl: source 1, 256, is outside 0..255"},
    {"bar.w.g", "bar: '.g' is too much"},
    {"sleep", "'' is no sleep_time"},
};

// Our words. The text is the same as Mesa 25.0.7's decoder prints, except for floats that %f cannot show,
// NaN, "+0", and (r) before mova's registers, which it prints twice.
struct Known {
    uint64_t word;
    const char* text;
};
constexpr Known kKnown[] = {
    {0x205108f400000005, "mova a0.x, (r)5"},
    {0x202888f500000009, "mova1 a1.x, (r)hc2.y"},
    {0x204cc30000001001, "(rpt3)mov.u32u32 r0.x, 0x1001"},
    {0x204cc00000001000, "mov.u32u32 r0.x, 4096"},
    {0x2055400080000000, "mov.s32s32 r0.x, -2147483648"},
    {0x204440007fc00001, "mov.f32f32 r0.x, (0x7fc00001)"},
    {0x2044400000000001, "mov.f32f32 r0.x, (1.40129846e-45)"},
    {0x204440007f800000, "mov.f32f32 r0.x, (inf)"},
    {0x2044400080000000, "mov.f32f32 r0.x, (-0.000000)"},
    {0x2040000000000001, "mov.f16f16 hr0.x, h(5.96046448e-08)"},
    {0x204000000000fc00, "mov.f16f16 hr0.x, h(-inf)"},
    {0x2040000000007e01, "mov.f16f16 hr0.x, h(0x7e01)"},
    {0x2085c00000000004, "cov.f32u8_32 (even)hr0.x, r1.x"},
    {0x260cc00000000000, "movmsk.w32 r0.x"},
    {0x40180a004bfbc404, "(rpt2)add.f r0.x, (last)(absneg)(r)r1.x, (neg)(r)r<a0.x + -5>"},
    {0x1801150000000000, "(sy)(ss)(eq)(jp)(rpt5)nop"},
    {0x7b8474000800c404, "(sy)(ss)(jp)(sat)(nop2) (ul)mad.f32 hr0.x, (neg)(last)r1.x, r2.x, r<a0.x + 0>"},
    {0x42b400f800f70004, "cmps.s.eq p0.x, r1.x, a0.w"},
    {0xa0f70000ffe00801, "sam.3d.a.o.p.s (f16)()hr0.x, r0.x, r1.x, s#15, t#127"},
    {0xa02cb900dfec0001, "isam.v.base3 (u32)(xw)r0.x, r0.x+0, s#15, t#15"},
    {0xa348b40061180000, "getinfo.s2en.nonuniform.base7 (u32)(z)r0.x, r2.x, a1.x"},
    {0xa288b300e0000009, "getsize.base1 (u32)(xy)r0.x, r1.x, a1.x"},
    {0x0272000080000000, "getlast.w256 #-2147483648"},
    {0x00f000a000000001, "ball !p0.w, #1"},
    {0xc0cde900078021e8, "stg.u8 g[r61.x-4096], ha0.x, 7"},
    {0xc016010007813fff, "ldg.k.u32 c[a1.x], g[r1.x-1], 15"},
    {0xc7c60000ffc03ffe, "ldlv.u32 r0.x, l[8191], 255"},
    {0xc54e000007fffe01, "atomic.cmpxchg.typed.4d.u8_32.4.l r0.x, l[255], 7"},
    {0xc49c000010020001, "atomic.g.xchg.untyped.1d.u64.1.g r0.x, r2.x, r4.x"},
    {0xc7e7e80004e1b170, "ldib.b.untyped.1d.u32.4.uniform.base0 r0.x, r1.x+127, r61.x"},
    {0xc03610ff0447818e, "ldc.256.k.nonuniform.base7 c[a1.x], r1.x, r2.x"},
    {0xc6e0e000ff800008, "shfl.rdown.f16 hr0.x, hr1.x, 255"},
    {0xe0fa000000000000, "fence.g.l.r.w"},
    {0xe200000000000000, "dccln.shr"},
    {0xe100000000000000, "sleep.s"},
    {0x008000c0ffffffff, "brax #-1"},
    {0xa700000000000000, "tcinv"},
    {0x66844000400c6004, "dp4acc.mixed.high r0.x, r1.x, r2.x, r3.x"},
};

Instr instr_of(const char* line) {
    Instr instr;
    Error error;
    const bool assembled = assemble_line(line, &instr, &error);
    REQUIRE_MESSAGE(assembled, error.reason);
    return instr;
}

std::string text_of(uint64_t word) {
    std::string out = disassemble({&word, 1});
    out.pop_back();  // the newline
    return out;
}

}  // namespace

TEST_CASE("ir3: words are refused with a reason") {
    for (const RefusedWord& refused : kRefusedWords) {
        CAPTURE(refused.word);
        const Instr before = make(Op::kEnd);
        Instr instr = before;
        Error error;
        CHECK_FALSE(decode(refused.word, &instr, &error));
        CHECK(std::string(error.reason) == refused.reason);
        CHECK(instr == before);
    }
    CHECK(text_of(0xffffffffffffffff) ==
          "ffffffffffffffff (reserved: no instruction of category 7 has these bits)");
}

TEST_CASE("ir3: lines are refused with a reason, and change nothing") {
    for (const RefusedLine& refused : kRefusedLines) {
        CAPTURE(std::string(refused.line));
        const Instr before = make(Op::kEnd);
        Instr instr = before;
        Error error;
        CHECK_FALSE(assemble_line(refused.line, &instr, &error));
        CHECK(std::string(error.reason) == refused.reason);
        CHECK(instr == before);
    }
}

TEST_CASE("ir3: the smallest and largest values of fields, both ways") {
    for (const Known& known : kKnown) {
        CHECK(text_of(known.word) == known.text);
        uint64_t word = 0;
        Error error;
        const bool encoded = encode(instr_of(known.text), &word, &error);
        CHECK_MESSAGE(encoded, error.reason);
        CHECK(word == known.word);
    }
}

TEST_CASE("ir3: an instruction that the table does not allow is not encoded") {
    Error error;
    uint64_t word = 42;
    const auto reason = [&](const Instr& instr) -> std::string {
        return encode(instr, &word, &error) ? "taken" : error.reason;
    };
    Instr add = make(Op::kAddF);
    CHECK(reason(add) == "taken");
    CHECK(word == 0x4010000000000000);
    add.set_size(3);
    CHECK(reason(add) == "add.f has no size");
    add = make(Op::kAddF);
    add.src[2] = Src::of(reg(0, 0));
    CHECK(reason(add) == "add.f has 2 sources");
    add = make(Op::kAddF);
    add.src[1] = {};
    CHECK(reason(add) == "add.f: source 1 cannot be of this kind");
    add.src[1] = Src::constant(2048);
    CHECK(reason(add) == "add.f: source 1, 2048, is outside 0..2047");
    add = make(Op::kAddF);
    add.dst[1].reg = reg(1, 0);
    CHECK(reason(add) == "add.f has 1 destinations");
    add = make(Op::kAddF);
    add.offset = 1;
    CHECK(reason(add) == "add.f has no offset");
    add.offset = 0;
    add.has_offset = true;
    CHECK(reason(add) == "add.f does not say whether it has an offset");
    Instr compare = make(Op::kCmpsF);
    compare.set_condition(Condition(6));
    CHECK(reason(compare) == "cmps.f: value 6 of condition is reserved");
    Instr sample = make(Op::kSam);
    sample.set_texture_mode(9);
    CHECK(reason(sample) == "sam: there is no texture mode 9");
    sample.op = Op::kCount;
    CHECK(reason(sample) == "there is no operation 208");
    CHECK(word == 0x4010000000000000);
}

TEST_CASE("ir3: every operation of make() can be encoded") {
    CHECK(kOpCount == 208);
    for (unsigned op = 0; op < kOpCount; op++) {
        Error error;
        uint64_t word = 0;
        const bool encoded = encode(make(Op(op)), &word, &error);
        CHECK_MESSAGE(encoded, error.reason);
    }
}

TEST_CASE("ir3: accessors have the names of the text") {
    Instr instr = instr_of("(sy)(jp)sam.3d.s2en.nonuniform.base5 (f16)(xz)hr1.y, r0.z, r3.x, a1.x");
    CHECK(instr.op == Op::kSam);
    CHECK(instr.sy());
    CHECK(instr.jp());
    CHECK_FALSE(instr.ss());
    CHECK(instr.cube());
    CHECK_FALSE(instr.array());
    CHECK(TextureMode(instr.texture_mode()) == TextureMode::kBindlessA1Nonuniform);
    CHECK(instr.base() == 5);
    CHECK(instr.type() == Type::kF16);
    CHECK(instr.write_mask() == 0b0101);
    CHECK(instr.dst[0] == Dest{reg(1, 1), true});
    CHECK(instr.src[0] == Src::of(reg(0, 2)));
    CHECK(instr.src[1].kind == SrcKind::kNone);
    CHECK(instr.src[2] == Src::of(reg(3, 0)));

    instr = instr_of("(ss)(rpt2)(ul)cmps.f.ge p0.y, (absneg)(r)hr1.x, h(0.5)");
    CHECK(instr.op == Op::kCmpsF);
    CHECK(instr.condition() == Condition::kGe);
    CHECK(instr.repeat() == 2);
    CHECK(instr.ul());
    CHECK(instr.dst[0] == Dest{reg(62, 1)});
    CHECK(instr.src[0].neg);
    CHECK(instr.src[0].abs);
    CHECK(instr.src[0].repeat);
    CHECK(instr.src[1] == Src::table(FloatEntry::kHalf, true));

    instr = instr_of("ldc.u.offset3.4.nonuniform.base2 r48.x, 17, r1.y");
    CHECK(instr.uniform_result());
    CHECK(instr.first_component() == 3);
    CHECK(instr.components() == 4);
    CHECK(instr.index_mode() == IndexMode::kNonuniform);
    CHECK(instr.bindless());
    CHECK(instr.base() == 2);
    CHECK(instr.src[0] == Src::immediate(17));
    CHECK(instr.src[1] == Src::of(reg(1, 1)));

    instr = instr_of("mova1 a1.x, 7");
    CHECK(moves_to_a1(instr));
    CHECK_FALSE(moves_to_a0(instr));
    CHECK(instr == instr_of("mova1 a1.x, 0x7"));
    CHECK(instr_of("mov.s16s16 hr0.x, -1").src[0] == Src::immediate(0xffff, true));
    CHECK(instr_of("mov.f16f16 hr0.x, h(1.0)").src[0].value == 0x3c00);
}

TEST_CASE("ir3: the facts that a scheduler needs") {
    CHECK(info(Op::kAddF).sync == Sync::kNone);
    CHECK(info(Op::kRcp).sync == Sync::kSs);
    CHECK(info(Op::kRcp).unit == Unit::kSfu);
    CHECK(info(Op::kGetfiberid).unit == Unit::kSfu);
    CHECK(info(Op::kSam).sync == Sync::kSy);
    CHECK(info(Op::kSam).is(kNeedsHelpers));
    CHECK_FALSE(info(Op::kSaml).is(kNeedsHelpers));
    CHECK(info(Op::kLdl).sync == Sync::kSs);
    CHECK(info(Op::kLdp).sync == Sync::kSy);
    CHECK(info(Op::kAtomicAdd).sync == Sync::kSs);
    CHECK(info(Op::kAtomicGAdd).sync == Sync::kSy);
    CHECK(info(Op::kAtomicBAdd).is(kReadsDest));
    CHECK(info(Op::kShfl).sync == Sync::kSs);
    CHECK(info(Op::kBrcstActive).is(kReadsDest));
    CHECK(info(Op::kIsam).is(kReadsMemory));
    CHECK(info(Op::kGetsize).is(kReadsMemory));
    CHECK_FALSE(info(Op::kDsx).is(kReadsMemory));
    CHECK(info(Op::kStc).is(kWritesConstants));
    CHECK(info(Op::kStc).is(kReadsLate));
    CHECK_FALSE(info(Op::kMadF32).is(kReadsLate));
    CHECK(info(Op::kEnd).is(kEndsProgram));
    CHECK(info(Op::kBr).is(kEndsBlock));
    CHECK(info(Op::kKill).is(kKills));
    CHECK_FALSE(info(Op::kKill).is(kEndsBlock));
    CHECK(info(Op::kBaryF).is(kReadsInput));
    CHECK(delay(Op::kAddF, Op::kAddF, 0) == 3);
    CHECK(delay(Op::kMov, Op::kMadF32, 1) == 3);
    CHECK(delay(Op::kMov, Op::kMadF32, 2) == 1);
    CHECK(delay(Op::kMov, Op::kMadshM16, 2) == 1);
    CHECK(delay(Op::kMov, Op::kSelB32, 2) == 3);
    CHECK(delay(Op::kMov, Op::kGat, 2) == 1);
    CHECK(delay(Op::kMov, Op::kGat, 3) == 0);
    CHECK(delay(Op::kMov, Op::kRcp, 0) == 6);
    CHECK(delay(Op::kMov, Op::kBr, 0) == 6);
    CHECK(delay(Op::kMov, Op::kEnd, 0) == 0);
    CHECK(delay(Op::kSam, Op::kAddF, 0) == 0);
}

TEST_CASE("ir3: a program is one line for each instruction") {
    std::vector<uint64_t> words;
    Error error;
    REQUIRE(assemble("# a comment\n\n  mov.f32f32 r0.x, c8.x  \r\n(sy)end\n", &words, &error));
    CHECK(words == std::vector<uint64_t>{0x2024400000000020, 0x1300000000000000});
    CHECK(disassemble(words) == "mov.f32f32 r0.x, c8.x\n(sy)end\n");
    CHECK_FALSE(assemble("nop\nnope\n", &words, &error));
    CHECK(std::string(error.reason) == "line 2: no instruction is named nope");
    CHECK(words.size() == 2);
}
