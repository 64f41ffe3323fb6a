// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What OpenGL ES 3 adds to the interface of vertex and fragment shaders: integers, samples, places in a
// pixel, layers. Compiled code on the warp executor compared with the IR interpreter.
#include "shaders/ir/builder.h"
#include "shaders/ir/clone.h"
#include "tests/mali/compiler/check.h"

using namespace terrazzo;
using namespace terrazzo::mali::compiler;
using namespace terrazzo::mali::compiler::testing;
using mali::compiler::testing::Machine;

namespace {

namespace isa = mali::isa;
namespace sim = mali::sim;

constexpr uint64_t kPositions = Memory::kData + 0x8000;
/// Of each lane: the samples that it covers, its sample. The helper covers none.
uint32_t covered(unsigned lane) {
    return lane == 5 ? 0 : lane * 3 + 1;
}
uint32_t sample_of(unsigned lane) {
    return lane % 4;
}
/// Sample n's position in the pixel, in 256ths.
constexpr uint32_t kPlace[4][2] = {{0x60, 0x20}, {0xe0, 0x60}, {0x20, 0xa0}, {0xa0, 0xe0}};
constexpr uint32_t kSamples = 4;

/// A varying's value depends on where in the pixel it is read: by the offset from the top left in 256ths.
float moved(float v, float x, float y) {
    return v + x * 0.5f - y * 0.25f;
}

class Meaning : public compiled::Interpreter {
  public:
    using Interpreter::Interpreter;
    void load_sysval(ir::Sysval s, unsigned component, ir::Type type, uint32_t* out) override {
        const bool own = s == ir::Sysval::SampleId || s == ir::Sysval::SampleMaskIn ||
                         s == ir::Sysval::HelperInvocation || s == ir::Sysval::NumSamples ||
                         s == ir::Sysval::SamplePos;
        if (!own) return Interpreter::load_sysval(s, component, type, out);
        for (unsigned i = 0; i < kLanes; i++)
            out[i] = s == ir::Sysval::SampleId           ? sample_of(i)
                     : s == ir::Sysval::SampleMaskIn     ? covered(i)
                     : s == ir::Sysval::HelperInvocation ? !covered(i)
                     : s == ir::Sysval::NumSamples
                         ? kSamples
                         : std::bit_cast<uint32_t>(float(kPlace[sample_of(i)][component]) / 256);
    }
    void load_input(const ir::IoInfo& io, ir::Type type, const uint32_t* index, uint32_t* out) override {
        Interpreter::load_input(io, type, index, out);
        if (io.interp_at == ir::InterpAt::Sample)
            for (unsigned i = 0; i < kLanes; i++)
                at_sample(&out[i], sample_of(i));
    }
    void load_input_at(const ir::IoInfo& io, ir::Type type, const uint32_t* const place[2],
                       uint32_t* out) override {
        Interpreter::load_input(io, type, nullptr, out);
        for (unsigned i = 0; i < kLanes; i++) {
            if (io.interp_at == ir::InterpAt::Sample) at_sample(&out[i], place[0][i]);
            if (io.interp_at != ir::InterpAt::Center) continue;
            const auto fixed = [&](unsigned c) {
                return float(int32_t(std::nearbyint(std::bit_cast<float>(place[c][i]) * 256 + 128))) / 256;
            };
            out[i] = std::bit_cast<uint32_t>(moved(std::bit_cast<float>(out[i]), fixed(0), fixed(1)));
        }
    }

  private:
    static void at_sample(uint32_t* value, uint32_t sample) {
        const uint32_t* const at = kPlace[sample % kSamples];
        *value = std::bit_cast<uint32_t>(
            moved(std::bit_cast<float>(*value), float(at[0]) / 256, float(at[1]) / 256));
    }
};

class SampleMachine : public Machine {
  public:
    explicit SampleMachine(const Inputs& in) : Machine(in, in.uniforms) {}
    bool varying(sim::Warp& warp, const sim::MessageIn& m, sim::U32* out, std::string* why) override {
        if (!Machine::varying(warp, m, out, why)) return false;
        const isa::SampleMode mode = m.instr.sample();
        for (unsigned c = 0; c < m.out_count; c++)
            for (unsigned i = 0; i < kLanes; i++) {
                const uint32_t place = m.low(0)[i];
                float x = 0, y = 0;
                if (mode == isa::SampleMode::kSample) {
                    const uint32_t* const at = kPlace[(place >> 16) % kSamples];
                    x = float(at[0]) / 256, y = float(at[1]) / 256;
                } else if (mode == isa::SampleMode::kExplicit) {
                    x = float(int16_t(place)) / 256, y = float(int16_t(place >> 16)) / 256;
                } else {
                    continue;
                }
                out[c][i] = std::bit_cast<uint32_t>(moved(std::bit_cast<float>(uint32_t(out[c][i])), x, y));
            }
        return true;
    }
    uint32_t sysval(uint32_t value) const override {
        return value == uint32_t(Sysval::SampleCount) ? kSamples : Machine::sysval(value);
    }
    void prepare(sim::Warp& warp, Memory& memory) override {
        for (unsigned i = 0; i < kLanes; i++)
            warp.r[kSampleRegister][i] = covered(i) | sample_of(i) << 16 | 0xa0u << 24;
        warp.special[unsigned(isa::Special::kSample)] = kPositions;
        for (unsigned n = 0; n < kSamples; n++) {
            const uint32_t word = kPlace[n][0] | kPlace[n][1] << 16;
            std::memcpy(&memory.data[kPositions - Memory::kData + n * 4], &word, 4);
        }
    }
    bool alpha_test(sim::Warp& warp, const sim::MessageIn& m, sim::U32* out, std::string* why) override {
        coverage = m.low(0);
        return Machine::alpha_test(warp, m, out, why);
    }
    sim::U32 coverage{};
};

constexpr const char* kVersion =
    "#version 310 es\n#extension GL_OES_sample_variables : enable\n"
    "#extension GL_OES_shader_multisample_interpolation : enable\n"
    "precision highp float; precision highp int;\n";

std::shared_ptr<const shaders::LinkedProgram> link_pair(const std::string& vs, const std::string& fs) {
    std::string log;
    const auto program = compiled::link(kVersion + vs, kVersion + fs, &log);
    REQUIRE_MESSAGE(program, log);
    return program;
}
std::shared_ptr<const shaders::LinkedProgram> link_fragment(const std::string& fs) {
    return link_pair(
        "in vec4 p; flat out ivec4 k; out vec4 a; sample out vec4 s; centroid out vec2 c; void main() { a = "
        "p; s = p; k = ivec4(p * 9.0); c = p.xy; gl_Position = p; }",
        "flat in ivec4 k; in vec4 a; sample in vec4 s; centroid in vec2 c; uniform ivec4 u; " + fs);
}

Binary check(const std::string& fs, const Options& options = kValidated) {
    CAPTURE(fs);
    const auto program = link_fragment(fs);
    const ir::Shader& s = *program->stages[size_t(ir::Stage::Fragment)];
    const Binary b = compile(s, Part::Fragment, options);
    REQUIRE(b.error == "");
    CAPTURE(isa::disassemble(b.code));
    for (unsigned seed = 1; seed < 4; seed++) {
        Inputs in = random_inputs(seed, program->uniform_dw[size_t(ir::Stage::Fragment)], -2, 2);
        for (unsigned slot = 2; slot < 4; slot++)
            for (unsigned c = 0; c < 4; c++)
                in.rows[(unsigned(ir::VaryingSlot::Varying0) + slot) * 4 + c] =
                    in.rows[(unsigned(ir::VaryingSlot::Varying0) + slot - 2) * 4 + c];
        for (uint32_t& word : in.uniforms)
            word = uint32_t(int32_t(std::bit_cast<float>(word) * 1000));
        Meaning meaning(in);
        SampleMachine machine(in);
        const Result expected = interpret(s, meaning), got = execute(b, in, machine);
        REQUIRE(got.error == "");
        REQUIRE(expected.error == "");
        for (const auto& [at, row] : expected.outputs) {
            const bool mask = at == unsigned(ir::FragSlot::SampleMask) * 4;
            for (unsigned i = 0; i < kLanes; i++) {
                CAPTURE(at);
                CAPTURE(i);
                if (mask) {
                    const uint32_t all = i + 1;  // what the harness says is covered
                    CHECK(machine.coverage[i] == (all & std::bit_cast<uint32_t>(row[i])));
                    continue;
                }
                const float v = got.outputs.at(at)[i];
                CHECK((std::bit_cast<uint32_t>(v) == std::bit_cast<uint32_t>(row[i]) || near(v, row[i])));
            }
        }
    }
    return b;
}

bool emits(const Binary& b, isa::Op op) {
    for (const uint64_t word : b.code)
        if (isa::Instr i; isa::decode(word, &i, nullptr) && i.op == op) return true;
    return false;
}

}  // namespace

TEST_CASE("mali compiler: integers as inputs and as colours") {
    Binary b = check("out ivec4 o; void main() { o = k * u + 3; }");
    CHECK(b.info.integer_colors == 1);
    b = check(
        "layout(location = 0) out vec4 o; layout(location = 1) out ivec3 i; layout(location = 2) out uvec2 "
        "n; "
        "void main() { o = a + vec4(k); i = k.zyx; n = uvec2(k.xy) >> uvec2(u.xy); }");
    CHECK(b.info.integer_colors == 6);
    CHECK(b.info.colors == 7);
    CHECK(!b.info.per_sample);
}

TEST_CASE("mali compiler: bit fields, high products, carries and pairs of halves") {
    check(
        "out ivec4 o; void main() { o = ivec4(bitfieldExtract(k.x, u.x & 15, 7), bitfieldInsert(k.y, k.z, 5, "
        "u.y "
        "& 7), bitfieldReverse(k.z), findMSB(k.w) * 100 + findLSB(k.x)); }");
    check(
        "out uvec4 o; void main() { uint c, l, h; uvec2 n = uvec2(k.xy * 123456789); c = 0u; "
        "uint s = uaddCarry(n.x, n.y, c); umulExtended(n.x, n.y, h, l); int m, q; imulExtended(k.x * "
        "99999999, "
        "u.y * 777777, m, q); uint r; uint t = usubBorrow(n.x, n.y, r); o = uvec4(s ^ l, h, uint(m), c * 2u "
        "+ r + "
        "t); }");
    check(
        "out vec4 o; void main() { o = vec4(unpackHalf2x16(packHalf2x16(a.xy)), "
        "unpackSnorm2x16(packSnorm2x16(a.zw * 0.5))) + unpackUnorm4x8(packUnorm4x8(abs(a))); }");
}

TEST_CASE("mali compiler: samples") {
    Binary b = check(
        "out vec4 o; void main() { o = vec4(gl_SamplePosition, float(gl_SampleID), "
        "float(gl_SampleMaskIn[0])) + "
        "float(gl_NumSamples) + (gl_HelperInvocation ? 100.0 : 0.0); }");
    CHECK(b.info.per_sample);
    b = check("out vec4 o; void main() { o = a; gl_SampleMask[0] = k.x; }");
    CHECK(b.info.writes_coverage);
    CHECK(!b.info.per_sample);
    CHECK(check("out vec4 o; void main() { o = s * 2.0 + a; }").info.per_sample);
    CHECK(!check("out vec4 o; void main() { o = a + c.xyxy; }").info.per_sample);
}

TEST_CASE("mali compiler: inputs elsewhere in their pixel") {
    CHECK(!check("out vec4 o; void main() { o = interpolateAtOffset(a, vec2(0.25, -0.375)) + "
                 "interpolateAtSample(a, k.x & 3) * interpolateAtCentroid(a) + a; }")
               .info.per_sample);
    check("out vec4 o; void main() { o = interpolateAtOffset(a, a.xy * 0.25).zyxw + a; }");
}

TEST_CASE("mali compiler: where samples are shaded, inputs are read at samples") {
    const auto program = link_fragment("out vec4 o; void main() { o = a + vec4(k) + c.xyxy; }");
    const Binary b = compile(*program->stages[size_t(ir::Stage::Fragment)], Part::Fragment,
                             {.per_sample = true, .at_samples = true, .validate = true});
    REQUIRE(b.error == "");
    unsigned flat = 0, at_sample = 0;
    for (const uint64_t word : b.code)
        if (mali::isa::Instr i;
            mali::isa::decode(word, &i, nullptr) && i.op == mali::isa::Op::kLdVarBufImmF32)
            (i.source_format() == mali::isa::SourceFormat::kFlat32 ? flat : at_sample) +=
                i.source_format() == mali::isa::SourceFormat::kFlat32 ||
                i.sample() == mali::isa::SampleMode::kSample;
    CHECK(flat == 1);
    CHECK(at_sample == 2);
}

TEST_CASE("mali compiler: integer attributes, numbers of vertices, layers") {
    const auto program = link_pair(
        "in ivec4 p; in uvec2 q; flat out ivec4 k; void main() { k = p * ivec4(q.xyxy) + gl_VertexID + "
        "gl_InstanceID; gl_Position = vec4(p); }",
        "flat in ivec4 k; out ivec4 o; void main() { o = k; }");
    const ir::Shader& s = *program->stages[size_t(ir::Stage::Vertex)];
    const Binary b = compile(s, Part::Varying, kValidated);
    REQUIRE(b.error == "");
    bool copies = false;
    for (const uint64_t word : b.code)
        if (mali::isa::Instr i; mali::isa::decode(word, &i, nullptr) && i.op == mali::isa::Op::kLdAttrImm)
            copies |= i.register_format() == mali::isa::RegisterFormat::kAuto;
    CHECK(copies);
    const auto layered = ir::clone(s);
    ir::Builder at_end(*layered);
    at_end.store_output(unsigned(ir::VaryingSlot::Layer), 0, at_end.i32(3));
    layered->renumber();
    const Binary position = compile(*layered, Part::Position, kValidated);
    REQUIRE(position.error == "");
    CHECK(position.info.writes_layer);
    CHECK(!position.info.writes_point_size);
    CHECK(emits(position, mali::isa::Op::kStoreI8));
    CHECK(!emits(compile(*layered, Part::Varying, kValidated), mali::isa::Op::kStoreI8));
}

TEST_CASE("mali compiler: the layer and the number of the primitive in fragment shaders") {
    class Layers : public Machine {
      public:
        explicit Layers(const Inputs& in) : Machine(in, in.uniforms) {}
        void prepare(mali::sim::Warp& warp, Memory&) override {
            for (unsigned i = 0; i < kLanes; i++)
                warp.r[kLayerRegister][i] = 0xabcd00 | (i * 7);
            warp.defined |= 1ull << kLayerRegister;
        }
    };
    ir::Shader s(ir::Stage::Fragment);
    ir::Builder b(s);
    const auto input = [&](ir::VaryingSlot slot) {
        return b.load_input(ir::Type::I32, unsigned(slot), 0, ir::Interp::Flat);
    };
    b.store_output(unsigned(ir::FragSlot::Color0), 0, input(ir::VaryingSlot::Layer));
    b.store_output(unsigned(ir::FragSlot::Color0), 1, input(ir::VaryingSlot::PrimitiveId));
    s.renumber();
    const Binary binary = compile(s, Part::Fragment, kValidated);
    REQUIRE(binary.error == "");
    CHECK(binary.info.varyings == 1u << kPrimitiveIdVarying);
    Inputs in;
    for (unsigned i = 0; i < kLanes; i++)
        in.rows[(unsigned(ir::VaryingSlot::Varying0) + kPrimitiveIdVarying) * 4][i] =
            std::bit_cast<float>(1000 + i);
    Layers machine(in);
    const Result got = execute(binary, in, machine);
    REQUIRE(got.error == "");
    for (unsigned i = 0; i < kLanes; i++) {
        CHECK(std::bit_cast<uint32_t>(got.outputs.at(0)[i]) == i * 7);
        CHECK(std::bit_cast<uint32_t>(got.outputs.at(1)[i]) == 1000 + i);
    }
}
