// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The effects of TERRAZZO_DEBUG's words on the driver.
#include <cmath>

#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/program/stage_code.h"
#include "drivers/mali/state/fragment_flags.h"
#include "tests/mali/driver/scene.h"

namespace terrazzo::test {

namespace {

using pipe::DebugWord;

constexpr std::array<float, 4> kRed = {1, 0, 0, 1}, kGreen = {0, 1, 0, 1};
constexpr uint32_t kRedPixel = 0xff0000ff, kGreenPixel = 0xff00ff00;

size_t count(const std::vector<uint32_t>& p, uint32_t value) {
    return size_t(std::count(p.begin(), p.end(), value));
}

/// A scene on a device with only these words.
struct DebugScene : MaliScene {
    explicit DebugScene(std::initializer_list<DebugWord> words, const mali::HeapDesc& heap = {})
        : MaliScene(64, 64, "sim:mali-g610", pipe::Format::D24_UNORM_S8_UINT, heap) {
        static_cast<mali::MaliScreen&>(*screen).device().debug = {};
        for (const DebugWord w : words)
            static_cast<mali::MaliScreen&>(*screen).device().debug.set(w);
    }
    void draw_two() {
        depth_stencil({.depth_test = true, .depth_write = true});
        begin(0, 0, 1, 1);
        rectangle(0, 0, 32, 64, 0.25f, kRed);
        rectangle(0, 0, 64, 32, 0.5f, kGreen);
    }
    void draw_endless() {
        endless =
            link(kVertexText,
                 "precision highp float; varying vec4 v_color;\n"
                 "void main() { float x = 0.0; while (x < 2.0) x += v_color.g; gl_FragColor = vec4(x); }\n");
        context->bind_program(endless.get());
        begin();
        rectangle(0, 0, 2, 2, 0.5f, kRed);
    }
    pipe::Ref<pipe::Program> endless;
};

}  // namespace

TEST_CASE("driver: words that do not change the picture") {
    const std::initializer_list<DebugWord> lists[] = {{},
                                                      {DebugWord::Flush},
                                                      {DebugWord::Sync, DebugWord::Flush},
                                                      {DebugWord::NoEarlyZ},
                                                      {DebugWord::Linear}};
    for (const auto& words : lists) {
        DebugScene s(words);
        s.draw_two();
        const std::vector<uint32_t> p = s.pixels();
        CHECK(count(p, kRedPixel) == 32 * 64);
        CHECK(count(p, kGreenPixel) == 32 * 32);
        CHECK(s.messages.empty());
    }
}

TEST_CASE("driver: linear images") {
    DebugScene plain({}), linear({DebugWord::Linear});
    const auto tiling_of = [](DebugScene& s) {
        const auto image = s.image(pipe::Format::R8G8B8A8_UNORM, 64, 64, pipe::bind::kSampled);
        return static_cast<mali::MaliResource&>(*image).layout.tiling;
    };
    CHECK(tiling_of(plain) != pipe::Tiling::Linear);
    CHECK(tiling_of(linear) == pipe::Tiling::Linear);
}

TEST_CASE("driver: with sync and flush a lost context is reported right after the draw") {
    DebugScene lazy({}), hasty({DebugWord::Sync, DebugWord::Flush});
    lazy.draw_endless();
    CHECK(lazy.context->reset_status() == pipe::ResetStatus::None);  // no submission yet
    hasty.draw_endless();
    CHECK(hasty.context->reset_status() == pipe::ResetStatus::Guilty);
}

TEST_CASE("driver: sync waits for a submission") {
    DebugScene s({DebugWord::Sync});
    s.draw_endless();
    s.context->end_render_pass();
    (void)s.context->flush();
    CHECK(s.context->reset_status() == pipe::ResetStatus::Guilty);
}

TEST_CASE("driver: slow operations are reported at the call that causes them") {
    DebugScene silent({});
    silent.draw_two();
    (void)silent.pixels();
    CHECK(silent.messages.empty());

    DebugScene s({DebugWord::Perf});
    s.draw_two();
    (void)s.pixels();
    CHECK(s.messages.has("the CPU wants to read an image"));
    s.messages.clear();
    s.resume();
    s.rectangle(0, 0, 8, 8, 0.1f, kRed);
    (void)s.context->flush();  // in the middle of the pass
    CHECK(s.messages.has("a pass of 64x64 pixels is stored and loaded again"));
    s.messages.clear();
    pipe::BlendDesc blend;
    blend.targets[0].enable = true;
    blend.targets[0].op_rgb = blend.targets[0].op_alpha = pipe::BlendOp::Max;
    s.keep(s.screen->create_blend(blend), [&](auto* b) { s.context->bind_blend(b); });
    s.rectangle(0, 0, 8, 8, 0.1f, kRed);
    CHECK(s.messages == "blending into R8G8B8A8_UNORM takes a shader\n");
}

TEST_CASE("driver: late tests") {
    mali::hw::DcdFlags0 early;
    early.zs_update_operation = early.pixel_kill_operation = mali::hw::PixelKill::ForceEarly;
    early.allow_forward_pixel_to_kill = early.allow_forward_pixel_to_be_killed = true;
    early.overdraw_alpha0 = true;
    uint32_t word;
    mali::hw::pack(early, &word);
    word = mali::without_early_tests(word);
    mali::hw::DcdFlags0 late;
    mali::hw::unpack(&word, &late);
    CHECK(late.zs_update_operation == mali::hw::PixelKill::ForceLate);
    CHECK(late.pixel_kill_operation == mali::hw::PixelKill::ForceLate);
    CHECK_FALSE(late.allow_forward_pixel_to_kill);
    CHECK(late.allow_forward_pixel_to_be_killed);
    CHECK(late.overdraw_alpha0);
}

TEST_CASE("driver: a shader as text") {
    mali::compiler::Binary b;
    b.code = {0, 0};
    b.info.statistics.instructions = 7;
    b.info.statistics.fma = 3;
    CHECK(mali::code_text(b) ==
          "7 instructions in 0 blocks, 32 registers, 0 words spilled, 0 uniform words, fma 3, cvt 0, sfu 0, "
          "v 0, t 0, ls 0\n");
    b.code = {0x00c0000000000000, 0, 0};
    CHECK(mali::code_text(b).find("\n  0000  ") != std::string::npos);
}

}  // namespace terrazzo::test
