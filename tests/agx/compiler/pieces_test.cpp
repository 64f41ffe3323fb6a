// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Pieces before and after shaders: attributes are loaded in all kinds of formats, colours are blended and
// stored. The shaders of glmark2 (Debian package glmark2-data) compile, if they are installed.
#include "shaders/ir/builder.h"
#include "tests/agx/compiler/harness.h"

namespace terrazzo::agx::compiler::testing {
namespace {

class TileUnits : public sim::Units {
  public:
    bool tile(sim::UnitCall& call, std::string* why) override {
        if (!waited) return sim::refuse(why, "no wait for earlier pixels");
        offset_B = call.instr.offset();
        mask = unsigned(call.instr.mask());
        format = call.instr.format();
        for (unsigned t = 0; t < 16; t++)
            if (call.instr.op == isa::Op::kLdTile)
                for (unsigned c = 0; c < 4; c++)
                    wave::put_at(call.out[c], t, std::bit_cast<uint32_t>(float(t + c)));
            else
                for (unsigned c = 0; c < call.in_count[0]; c++)
                    stored[t][c] = std::bit_cast<float>(wave::at(call.in[0][c], t));
        return true;
    }
    bool pixel_order(sim::UnitCall&, std::string*) override { return waited = true; }
    bool waited = false;
    float stored[16][4] = {};
    unsigned offset_B = 0, mask = 0;
    isa::Format format{};
};

void run_blend(const ir::Shader* s, const BlendTarget& target, TileUnits* units, CodeRunner& r) {
    const Binary b = compile_blend(s, target, kValidated);
    REQUIRE(b.error == "");
    CAPTURE(isa::disassemble(b.code));
    std::vector<isa::Unit> code = b.code;
    code.push_back(kStop);
    r.set_code(code);
    r.group.threads = 0xffff;
    r.group.registers = std::max<unsigned>(b.info.registers, kColorRegistersEnd);
    for (unsigned reg = 0; reg < kColorRegistersEnd; reg++)
        r.set_all(reg, std::bit_cast<uint32_t>(float(reg)));
    REQUIRE_MESSAGE(r.run() == sim::Outcome::Done, r.error);
    // Later targets keep their colours.
    for (unsigned reg = color_register(target.target + 1, 0); reg < kColorRegistersEnd; reg++)
        CHECK(std::bit_cast<float>(r.get(reg, 3)) == float(reg));
    (void)units;
}

TEST_CASE("agx compiler: blend pieces") {
    TileUnits units;
    CodeRunner r(&units);
    run_blend(nullptr, {.target = 2, .format = isa::Format::kU8Norm, .offset_B = 12, .mask = 0b1101}, &units,
              r);
    CHECK(units.offset_B == 12);
    CHECK(units.mask == 0b1101);
    CHECK(units.format == isa::Format::kU8Norm);
    CHECK(units.stored[5][0] == 12);
    CHECK(units.stored[5][1] == 14);
    CHECK(units.stored[5][2] == 15);

    // source * uniform + destination
    ir::Shader s(ir::Stage::Fragment);
    ir::Builder b(s);
    for (unsigned c = 0; c < 4; c++) {
        ir::Value* const source = b.load_input(ir::Type::F32, unsigned(ir::VaryingSlot::Varying0), c);
        ir::Value* const factor = b.load_uniform(ir::Type::F32, c);
        ir::Value* const old =
            b.load_sysval(ir::Sysval(unsigned(ir::Sysval::LastColor0) + 1), c, ir::Type::F32);
        b.store_output(unsigned(ir::FragSlot::Color0), c, b.fadd(b.fmul(source, factor), old));
    }
    for (unsigned c = 0; c < 4; c++)
        r.bind(kBlendUniformWord + c, std::bit_cast<uint32_t>(float(c) * 0.5f));
    run_blend(&s, {.target = 1}, &units, r);
    for (unsigned t = 0; t < 16; t++)
        for (unsigned c = 0; c < 4; c++)
            CHECK(units.stored[t][c] == float(8 + c) * float(c) * 0.5f + float(t + c));
}

TEST_CASE("agx compiler: fetch pieces") {
    CodeRunner r;
    for (unsigned n = 0; n < 256; n++)
        r.memory()[n] = n % 2 ? std::bit_cast<uint32_t>(float(n)) : 0xfe000000u | n;
    const auto bind = [&](unsigned location, uint32_t at_B, uint32_t stride_B, uint32_t last) {
        const uint64_t va = CodeRunner::kMemory_va + at_B;
        const uint32_t words[] = {uint32_t(va), uint32_t(va >> 32), stride_B, last};
        for (unsigned k = 0; k < 4; k++)
            r.bind(FetchWord::Count * location + k, words[k]);
    };
    bind(0, 4, 8, 9);    // a float, of elements 0 to 9
    bind(1, 0, 8, 100);  // four bytes with signs, as floats
    bind(3, 4, 8, 100);  // for every third instance
    using Kind = Attribute::Kind;
    const Attribute attributes[] = {
        {.location = 0, .components = 1},
        {.location = 1, .components = 4, .format = isa::Format::kI8, .kind = Kind::SignedToFloat},
        {.location = 3, .components = 1, .divisor = 3}};
    uint8_t read[kMaxAttributes] = {15, 9, 0, 1};
    const Binary b = compile_fetch(attributes, read);
    REQUIRE(b.error == "");
    CAPTURE(isa::disassemble(b.code));
    std::vector<isa::Unit> code = b.code;
    code.push_back(kStop);
    r.set_code(code);
    for (unsigned t = 0; t < 32; t++)
        r.set(kVertexIdRegister, t, t), r.set(kInstanceIdRegister, t, 2 * t);
    REQUIRE_MESSAGE(r.run() == sim::Outcome::Done, r.error);
    const auto get = [&](unsigned n, unsigned c, unsigned t) {
        return std::bit_cast<float>(r.get(attribute_register(n, c), t));
    };
    for (unsigned t = 0; t < 32; t++) {
        CHECK(get(0, 0, t) == float(2 * std::min(t, 9u) + 1));
        CHECK(get(0, 1, t) == 0);
        CHECK(get(0, 3, t) == 1);
        CHECK(get(1, 0, t) == float(2 * t));
        CHECK(get(1, 3, t) == -2);
        CHECK(get(3, 0, t) == float(2 * (2 * t / 3) + 1));
        CHECK(r.get(kVertexIdRegister, t) == t);
    }
}

TEST_CASE("agx compiler: the shaders of glmark2") {
    unsigned pairs = 0;
    uint64_t instructions = 0;
    const auto check = [&](const ir::Shader& s) {
        const Binary b = compile(s, kValidated);
        CHECK(b.error == "");
        std::vector<isa::Unit> code = b.code;
        code.push_back(kStop);
        isa::Error why;
        CHECK(isa::validate_program(code, &why));
        instructions += b.info.statistics.instructions;
    };
    const auto compile_pair = [&](const std::string& name, const std::string& vs, const std::string& fs) {
        CAPTURE(name);
        const auto program = compiled::link(vs, fs);
        if (!program) return;  // parts of shaders, which glmark2 combines
        pairs++;
        check(*program->stages[size_t(ir::Stage::Vertex)]);
        check(*program->stages[size_t(ir::Stage::Fragment)]);
    };
    if (!compiled::for_each_glmark2_pair(compile_pair)) return;
    CHECK(pairs >= 10);
    MESSAGE(pairs << " programs, " << instructions << " instructions");
}

TEST_CASE("agx compiler: what is not compiled is refused by name") {
    const auto error_of = [](const std::string& body) {
        const auto program = compiled::link(compiled::kVertex, compiled::kHead + body);
        REQUIRE(program);
        return compile(*program->stages[size_t(ir::Stage::Fragment)], kValidated).error;
    };
    CHECK(error_of("void main() { gl_FragColor = gl_LastFragData[0]; }") ==
          "agx: reads of colours in fragment shaders are not compiled yet");
}

}  // namespace
}  // namespace terrazzo::agx::compiler::testing
