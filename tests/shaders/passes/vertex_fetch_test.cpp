// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// vertex_fetch, compared with literals, no-change cases first. Then all vertex formats of OpenGL ES 3.2 with
// all alignments in the interpreter, compared with a decoder of bytes in this file.
#include "shaders/passes/vertex_fetch.h"

#include <algorithm>
#include <cstring>

#include "shaders/ir/half.h"
#include "tests/shaders/ir/random_shader.h"
#include "tests/shaders/passes/check_pass.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {

using Source = FetchedAttribute::Source;

constexpr const char* kOne = R"(vertex {
  %0: f32 = load_input 2.x
  store_output 0.x, %0
}
)";

std::string fetched(std::string_view text, const VertexFetchOptions& options) {
    const auto s = shader_of(text);
    CHECK(vertex_fetch(*s, options));
    const std::string rule = validate(*s);
    CHECK_MESSAGE(rule.empty(), rule);
    s->renumber();
    return print(*s);
}

/// Vertices and instances of a draw, and the attributes' memory.
class DrawEnv final : public TestEnv {
  public:
    using TestEnv::TestEnv;
    std::vector<uint8_t> memory;  // its size is a multiple of 4
    uint32_t first_vertex = 0, first_instance = 0, base_instance = 0;
    bool by_instance = false;

    void load_sysval(Sysval s, unsigned, Type, uint32_t* out) override {
        for (unsigned i = 0; i < lanes; i++) {
            if (s == Sysval::VertexId)
                out[i] = first_vertex + i;
            else if (s == Sysval::InstanceId)
                out[i] = first_instance + i;
            else if (s == Sysval::BaseInstance)
                out[i] = base_instance;
            else
                FAIL("another system value");
        }
    }
    void load_input(const IoInfo&, Type, const uint32_t*, uint32_t*) override { FAIL("an input is left"); }
    std::span<const MemoryRange> slots(Storage space) override {
        ranges_[3] = {memory.data(), uint32_t(memory.size())};
        return std::span(ranges_).first(space == Storage::Buffer ? 4 : 0);
    }

  private:
    MemoryRange ranges_[4];  // the last one is the attributes'
};

/// The value of channel c of the record at `at`, as the bits of the shader's value.
uint32_t reference(const FetchedAttribute& a, unsigned c, const uint8_t* at) {
    const bool integer = a.type == FetchType::Uint || a.type == FetchType::Sint;
    if (c >= a.channels) return integer ? c == 3 : std::bit_cast<uint32_t>(c == 3 ? 1.0f : 0.0f);
    unsigned bit = 0;
    for (unsigned k = 0; k < c; k++)
        bit += a.bits[k];
    uint64_t raw = 0;
    for (unsigned k = 0; k < a.bits[c]; k++)
        raw |= uint64_t(at[(bit + k) / 8] >> (bit + k) % 8 & 1) << k;
    const unsigned bits = a.bits[c];
    const int64_t value = raw >> (bits - 1) & 1 ? int64_t(raw) - (int64_t(1) << bits) : int64_t(raw);
    const auto word = [](double d) { return std::bit_cast<uint32_t>(float(d)); };
    switch (a.type) {
        case FetchType::Unorm:
            return word(double(raw) / double((uint64_t(1) << bits) - 1));
        case FetchType::Snorm:
            return word(std::max(double(value) / double((uint64_t(1) << (bits - 1)) - 1), -1.0));
        case FetchType::Uint:
            return uint32_t(raw);
        case FetchType::Sint:
            return uint32_t(value);
        case FetchType::Uscaled:
            return word(double(raw));
        case FetchType::Sscaled:
            return word(double(value));
        case FetchType::Fixed:
            return word(double(float(value)) / 65536);
        case FetchType::Float:
            return bits == 16 ? std::bit_cast<uint32_t>(half_to_float(uint16_t(raw))) : uint32_t(raw);
    }
    return 0;
}

unsigned size_B(const FetchedAttribute& a) {
    unsigned bits = 0;
    for (unsigned c = 0; c < a.channels; c++)
        bits += a.bits[c];
    return bits / 8;
}

/// OpenGL ES 3.2 table 10.2, and OES_vertex_half_float.
std::vector<FetchedAttribute> all_formats() {
    std::vector<FetchedAttribute> out;
    const auto add = [&](FetchType type, std::initializer_list<unsigned> widths) {
        for (const unsigned width : widths)
            for (unsigned channels = 1; channels <= 4; channels++) {
                const auto b = uint8_t(width);
                out.push_back({.source = Source::Buffer,
                               .type = type,
                               .channels = uint8_t(channels),
                               .bits = {b, b, b, b}});
            }
    };
    for (const FetchType t : {FetchType::Unorm, FetchType::Snorm, FetchType::Uint, FetchType::Sint,
                              FetchType::Uscaled, FetchType::Sscaled})
        add(t, {8, 16, 32});
    add(FetchType::Fixed, {32});
    add(FetchType::Float, {16, 32});
    for (const FetchType t : {FetchType::Unorm, FetchType::Snorm, FetchType::Uscaled, FetchType::Sscaled})
        out.push_back({.source = Source::Buffer, .type = t, .channels = 4, .bits = {10, 10, 10, 2}});
    return out;
}

/// The attribute is at location 2. Its components are stored to slot 0.
std::unique_ptr<Shader> store_attribute(const FetchedAttribute& a, unsigned components = 15) {
    const bool integer = a.type == FetchType::Uint || a.type == FetchType::Sint;
    std::string text = "vertex {\n", stores;
    for (unsigned c = 0, n = 0; c < 4; c++) {
        if (!(components >> c & 1)) continue;
        const std::string id = "%" + std::to_string(n++), letter(1, "xyzw"[c]);
        text += "  " + id + (integer ? ": i32" : ": f32") + " = load_input 2." + letter + "\n";
        stores += "  store_output 0." + letter + ", " + id + "\n";
    }
    return shader_of(text + stores + "}\n");
}

bool close(const FetchedAttribute& a, uint32_t got, uint32_t want) {
    if (same_word(got, want)) return true;
    // Values of 32 bits are multiplied by a power of two, not divided.
    const bool wide = a.bits[0] == 32 && (a.type == FetchType::Unorm || a.type == FetchType::Snorm);
    return wide && std::fabs(f(got) - f(want)) <= std::fabs(f(want)) * 0x1p-22f;
}

/// Runs `count` lanes and compares all components. Records from `valid` on must read zeros.
void check(FetchedAttribute a, DrawEnv& env, unsigned count, uint32_t valid, bool counted) {
    const auto s = store_attribute(a);
    VertexFetchOptions options{.first_binding = 1};
    a.buffer = 2;
    options.attributes[2] = a;
    if (counted) options.records_dw = 3;
    REQUIRE(vertex_fetch(*s, options));
    const std::string rule = validate(*s, Phase::AfterLink);
    REQUIRE_MESSAGE(rule.empty(), rule << print(*s));
    const auto program = InterpProgram::create(*s, env.lanes);
    InterpState state(*program);
    env.outputs.clear();
    env.uniform_words = {7, 7, 7, 7, 7, valid};
    env.uniforms = env.uniform_words;
    REQUIRE(run(*program, state, env, (InterpMask(1) << count) - 1, 1) == InterpStatus::Done);
    for (unsigned c = 0; c < 4; c++) {
        const auto row = env.outputs.find(c);
        REQUIRE((count == 0 || row != env.outputs.end()));
        for (unsigned lane = 0; lane < count; lane++) {
            const uint32_t record = a.divisor ? (env.first_instance + lane) / a.divisor + env.base_instance
                                              : env.first_vertex + lane;
            const uint8_t zeros[16] = {};
            const uint8_t* at = env.memory.data() + a.offset_B + size_t(record) * a.stride_B;
            if (record >= valid) at = zeros;
            const uint32_t want = reference(a, c, at);
            REQUIRE_MESSAGE(close(a, row->second[lane], want), "component " << c << ", record " << record
                                                                            << ": " << row->second[lane]
                                                                            << ", not " << want << "\n"
                                                                            << print(*s));
        }
        if (row == env.outputs.end()) continue;
        for (unsigned lane = count; lane < env.lanes; lane++)
            CHECK(row->second[lane] == 0xdeadbeefu);
    }
}

}  // namespace

TEST_CASE("vertex_fetch keeps attributes that the device fetches") {
    const auto s = shader_of(kOne);
    CHECK(!vertex_fetch(*s, {}));
    VertexFetchOptions others;
    others.attributes[1] = {.source = Source::Buffer};
    CHECK(!vertex_fetch(*s, others));
    CHECK(print(*s) == kOne);
}

TEST_CASE("vertex_fetch loads the words that are used") {
    VertexFetchOptions options;
    options.attributes[2] = {.source = Source::Buffer, .buffer = 1, .offset_B = 8, .stride_B = 32};
    CHECK(fetched(R"(vertex {
  %0: f32 = load_input 2.y
  %1: f32 = load_input 2.z
  %2: f32 = fadd %0, %1
  store_output 0.x, %2
})",
                  options) == R"(vertex {
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = const 32
  %2: i32 = imul %0, %1
  %3: i32 = const 8
  %4: i32 = iadd %2, %3
  %5: i32, %6: i32 = load_buffer buffer readonly binding=1 words=2 offset_B=4 (%4)
  %7: f32 = bitcast %5
  %8: f32 = bitcast %6
  %9: f32 = fadd %7, %8
  store_output 0.x, %9
}
)");
}

TEST_CASE("vertex_fetch of instances divides; an attribute without a buffer is a constant") {
    VertexFetchOptions options;
    options.attributes[2] = {.source = Source::Buffer, .stride_B = 16, .divisor = 4};
    CHECK(fetched(kOne, options) == R"(vertex {
  %0: i32 = load_sysval instance_id.x
  %1: i32 = const 2
  %2: i32 = ushr %0, %1
  %3: i32 = load_sysval base_instance.x
  %4: i32 = iadd %2, %3
  %5: i32 = const 16
  %6: i32 = imul %4, %5
  %7: i32 = const 0
  %8: i32 = iadd %6, %7
  %9: i32 = load_buffer buffer readonly binding=0 (%8)
  %10: f32 = bitcast %9
  store_output 0.x, %10
}
)");
    options.attributes[2] = {.source = Source::Nothing};
    CHECK(fetched(kOne, options) == R"(vertex {
  %0: f32 = const 0.0
  store_output 0.x, %0
}
)");
}

TEST_CASE("vertex_fetch: all formats at all alignments") {
    Random random(5);
    DrawEnv env(8);
    for (const FetchedAttribute& format : all_formats()) {
        for (unsigned n = 0; n < 24; n++) {
            FetchedAttribute a = format;
            CAPTURE(n);
            a.offset_B = n % 4;
            const uint32_t strides[] = {size_B(a), size_B(a) + 1, size_B(a) + 2, 0, 3, 20};
            a.stride_B = strides[n / 4];
            env.first_vertex = random.below(3);
            const unsigned counts[] = {8, 1, 7, 0};
            env.memory.resize(256);
            for (uint8_t& b : env.memory)
                b = random.chance(20) ? (random.chance(50) ? 0xff : 0x80) : uint8_t(random.bits());
            check(a, env, counts[random.below(4)], ~0u, n % 2);
        }
    }
}

TEST_CASE("vertex_fetch: divisors and base instances") {
    Random random(6);
    DrawEnv env(8);
    env.memory.resize(256);
    for (uint8_t& b : env.memory)
        b = uint8_t(random.bits());
    for (const uint32_t divisor : {1u, 2u, 3u, 5u, 8u, 1000u, ~0u}) {
        FetchedAttribute a{.source = Source::Buffer,
                           .type = FetchType::Unorm,
                           .channels = 3,
                           .bits = {8, 8, 8, 8},
                           .offset_B = 1,
                           .stride_B = 7,
                           .divisor = divisor};
        for (const uint32_t base : {0u, 1u, 5u}) {
            env.first_vertex = 1000000;
            env.first_instance = random.below(12);
            env.base_instance = base;
            check(a, env, 8, ~0u, false);
        }
    }
}

TEST_CASE("vertex_fetch: records beyond the buffer read zeros") {
    Random random(7);
    for (const FetchedAttribute& format : all_formats()) {
        DrawEnv env(8);
        FetchedAttribute a = format;
        a.offset_B = random.below(9);
        a.stride_B = size_B(a) + random.below(3);
        // The buffer ends with the fourth record. Other bytes follow in the same word.
        const uint32_t valid = 4, end_B = a.offset_B + 3 * a.stride_B + size_B(a);
        env.memory.resize((end_B + 3) / 4 * 4);
        for (uint8_t& b : env.memory)
            b = uint8_t(random.bits());
        env.first_vertex = random.below(6);
        check(a, env, 8, valid, true);
        env.first_vertex = ~0u - 3;  // the product with the stride overflows
        check(a, env, 3, valid, true);
    }
}

TEST_CASE("vertex_fetch: out-of-range words read zeros if the number of records is unknown") {
    DrawEnv env(4);
    env.memory.assign(32, 0x3f);
    check({.source = Source::Buffer, .channels = 2, .stride_B = 8}, env, 4, 4, false);
    env.first_vertex = 2;
    check({.source = Source::Buffer, .channels = 2, .stride_B = 8}, env, 4, 4, false);
}
