// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/ir/image.h"

#include <cstring>
#include <sstream>

#include "shaders/ir/names.h"
#include "tests/shaders/ir/test_env.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {

/// Slot 0 has 4x2 texels in two slices; slot 1 is unbound.
class ImageEnv : public TestEnv {
  public:
    explicit ImageEnv(ImageFormat f) : format(f), bytes(4 * 2 * 2 * texel_size_B(f)) {}
    ImageFormat format;
    std::vector<uint8_t> bytes;
    ImageRange ranges[2];
    unsigned barriers = 0;

    std::span<const ImageRange> images() override {
        const uint64_t row_B = 4 * texel_size_B(format);
        ranges[0] = {bytes.data(), format, 4, 2, 2, row_B, 2 * row_B};
        return ranges;
    }
    void barrier(const MemInfo& info) override { barriers += info.execution == MemScope::Workgroup; }
    [[nodiscard]] uint32_t word(size_t n) const {
        uint32_t w;
        std::memcpy(&w, &bytes[n * 4], 4);
        return w;
    }
};

ImageEnv run_in(ImageEnv env, std::string_view body, InterpMask mask = 0xff) {
    const auto s = shader_of(
        "compute {\n  %0: i32 = load_sysval vertex_id.x\n  %1: i32 = const 0\n  %2: i32 = const 1\n" +
            std::string(body) + "}\n",
        Phase::AfterLink);
    const auto program = InterpProgram::create(*s, 8);
    InterpState state(*program);
    CHECK(run(*program, state, env, mask, 1000) == InterpStatus::Done);
    return env;
}

/// Stores four values to texel (1, 0, 0) and loads them again.
std::vector<uint32_t> round_trip(ImageFormat f, const std::string& type, const std::string& values) {
    std::string body;
    std::istringstream in(values);
    std::string v;
    for (int n = 10; in >> v; n++)
        body += "  %" + std::to_string(n) + ": " + type + " = const " + v + "\n";
    const std::string name(name_of(f));
    body += "  store_image image 3d " + name + " binding=0 (%2, %1, %1, %10, %11, %12, %13)\n";
    body += "  %20: " + type + ", %21: " + type + ", %22: " + type + ", %23: " + type +
            " = load_image image 3d " + name + " binding=0 (%2, %1, %1)\n";
    for (int n = 0; n < 4; n++)
        body += "  store_output 0." + std::string(1, "xyzw"[n]) + ", %" + std::to_string(20 + n) + "\n";
    auto env = run_in(ImageEnv(f), body, 1);
    std::vector<uint32_t> r;
    for (unsigned n = 0; n < 4; n++)
        r.push_back(env.outputs[n][0]);
    return r;
}
std::vector<float> floats(const std::vector<uint32_t>& w) {
    std::vector<float> r;
    for (const uint32_t v : w)
        r.push_back(f(v));
    return r;
}
using Floats = std::vector<float>;
using Words = std::vector<uint32_t>;

}  // namespace

TEST_CASE("image: the precision of formats") {
    CHECK(floats(round_trip(ImageFormat::Rgba32f, "f32", "1.5 -2.0 1e30 0.25")) ==
          Floats{1.5f, -2, 1e30f, 0.25f});
    CHECK(floats(round_trip(ImageFormat::Rgba16f, "f32", "1.5 -2.0 0.333 65504.0")) ==
          Floats{1.5f, -2, 0.33300781f, 65504});
    CHECK(floats(round_trip(ImageFormat::R32f, "f32", "1.5 -2.0 3.0 4.0")) == Floats{1.5f, 0, 0, 1});
    CHECK(floats(round_trip(ImageFormat::Rgba8, "f32", "1.5 -2.0 0.5 0x7fc00000")) ==
          Floats{1, 0, 128 / 255.0f, 0});
    CHECK(floats(round_trip(ImageFormat::Rgba8Snorm, "f32", "1.5 -2.0 0.5 -0.5")) ==
          Floats{1, -1, 64 / 127.0f, -63 / 127.0f});
    CHECK(round_trip(ImageFormat::Rgba32i, "i32", "1 -2 2147483647 -2147483648") ==
          Words{1, uint32_t(-2), 0x7fffffff, 0x80000000});
    CHECK(round_trip(ImageFormat::Rgba16i, "i32", "1 -2 40000 -40000") ==
          Words{1, uint32_t(-2), 32767, uint32_t(-32768)});
    CHECK(round_trip(ImageFormat::Rgba8i, "i32", "127 -128 128 -129") ==
          Words{127, uint32_t(-128), 127, uint32_t(-128)});
    CHECK(round_trip(ImageFormat::R32i, "i32", "-7 1 2 3") == Words{uint32_t(-7), 0, 0, 1});
    CHECK(round_trip(ImageFormat::Rgba32ui, "i32", "-1 2 3 4") == Words{0xffffffff, 2, 3, 4});
    CHECK(round_trip(ImageFormat::Rgba16ui, "i32", "65535 65536 -1 4") == Words{65535, 65535, 65535, 4});
    CHECK(round_trip(ImageFormat::Rgba8ui, "i32", "255 256 3 4") == Words{255, 255, 3, 4});
    CHECK(round_trip(ImageFormat::R32ui, "i32", "9 1 2 3") == Words{9, 0, 0, 1});
}

TEST_CASE("image: nothing outside the image is accessed") {
    // x = lane: the texels 4 to 7 do not exist.
    auto env = run_in(
        ImageEnv(ImageFormat::R32i),
        "  %3: i32 = iadd %0, %2\n"
        "  store_image image 2d array r32i binding=0 (%0, %2, %2, %3, %3, %3, %3)\n"
        "  %4: i32, %5: i32, %6: i32, %7: i32 = load_image image 2d array r32i binding=0 (%0, %2, %2)\n"
        "  %8: i32, %9: i32, %10: i32, %11: i32 = load_image image 2d array r32i binding=1 (%0, %2, %2)\n"
        "  %12: i32 = const -1\n"
        "  store_image image 2d r32i binding=0 (%12, %1, %3, %3, %3, %3)\n"
        "  store_output 0.x, %4\n  store_output 0.y, %7\n  store_output 0.z, %11\n");
    CHECK(env.outputs[0] == Words{1, 2, 3, 4, 0, 0, 0, 0});
    CHECK(env.outputs[1] == Words{1, 1, 1, 1, 0, 0, 0, 0});
    CHECK(env.outputs[2] == Words(8));
    Words words;
    for (size_t n = 0; n < 16; n++)
        words.push_back(env.word(n));
    CHECK(words == Words{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4});
}

TEST_CASE("image: atomics, an index, formats of another size") {
    auto env =
        run_in(ImageEnv(ImageFormat::R32ui),
               "  %3: i32 = atomic_image add image 2d r32ui binding=0 (%2, %1, %0)\n"
               "  %4: i32 = atomic_image add image 2d r32ui indexed binding=0 slots=2 (%1, %1, %0, %2)\n"
               "  %5: i32, %6: i32, %7: i32, %8: i32 = load_image image 2d rgba16ui binding=0 (%1, %1)\n"
               "  store_output 0.x, %3\n  store_output 0.y, %8\n");
    CHECK(env.word(1) == 0 + 1 + 2 + 3 + 4 + 5 + 6 + 7);
    CHECK(env.outputs[0] == Words{0, 0, 1, 3, 6, 10, 15, 21});
    CHECK(env.word(0) == 1);  // only lane 0 has the index of a bound slot, lane 1's slot is unbound
    CHECK(env.outputs[1] == Words(8));
}

TEST_CASE("image: the environment is informed of barriers") {
    const auto env = run_in(ImageEnv(ImageFormat::R32ui),
                            "  barrier execution=workgroup memory=workgroup shared ()\n"
                            "  barrier execution=none memory=device buffers ()\n");
    CHECK(env.barriers == 1);
}

TEST_CASE("image: the validator's rules") {
    const auto rule_of = [](const std::string& line) {
        const ParseResult r = parse("compute {\n  %0: i32 = const 4\n  " + line + "\n}\n");
        REQUIRE_MESSAGE(r.shader, r.error);
        const std::string rule = validate(*r.shader, Phase::AfterLink);
        return rule.substr(0, rule.find(':'));
    };
    CHECK(rule_of("store_image image cube array r32ui binding=0 (%0, %0, %0, %0, %0, %0, %0)") == "");
    CHECK(rule_of("store_image image 3d array r32ui binding=0 (%0, %0, %0, %0, %0, %0, %0, %0)") ==
          "3D and buffer images are no arrays");
    CHECK(rule_of("%1: i32 = atomic_image exchange image 2d r32f binding=0 (%0, %0, %0)") == "");
    CHECK(rule_of("%1: i32 = atomic_image add image 2d r32f binding=0 (%0, %0, %0)") ==
          "image atomics are of r32i and r32ui, exchanges of r32f, too");
    CHECK(rule_of("%1: i32 = atomic_image add image 2d rgba8ui binding=0 (%0, %0, %0)") ==
          "image atomics are of r32i and r32ui, exchanges of r32f, too");
}

TEST_CASE("image: sizes") {
    const auto size_of = [](const std::string& type, unsigned count, const std::string& slot = "binding=0") {
        std::string results, stores;
        for (unsigned n = 0; n < count; n++) {
            results += (n ? ", %" : "%") + std::to_string(3 + n) + ": i32";
            stores += "  store_output 0." + std::string(1, "xyz"[n]) + ", %" + std::to_string(3 + n) + "\n";
        }
        auto env =
            run_in(ImageEnv(ImageFormat::Rgba8),
                   "  " + results + " = image_size image " + type + " rgba8 " + slot + " ()\n" + stores, 1);
        Words r;
        for (unsigned n = 0; n < count; n++)
            r.push_back(env.outputs[n][0]);
        return r;
    };
    CHECK(size_of("2d", 2) == Words{4, 2});
    CHECK(size_of("2d array", 3) == Words{4, 2, 2});
    CHECK(size_of("3d", 3) == Words{4, 2, 2});
    CHECK(size_of("cube", 2) == Words{4, 2});
    CHECK(size_of("2d", 2, "binding=1") == Words{0, 0});
}
