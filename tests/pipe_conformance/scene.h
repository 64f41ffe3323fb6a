// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the cases use: the device under test with only memory, or with a scene. At the end of a case the
// device must have reported nothing, and the context must not be lost.
#pragma once

#include <bit>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "tests/common/compiler/link.h"
#include "tests/common/driver_scene.h"
#include "tests/common/picture.h"
#include "tests/pipe_conformance/devices.h"

namespace terrazzo::test {

/// A screen and a context, for TEST_SUITE("memory").
struct Memory {
    Memory() : screen(judged().open(log())), context(screen->create_context({.robust = true, .log = log()})) {
        REQUIRE(context);
    }
    ~Memory() { CHECK(without_notices(messages.text()) == ""); }
    /// Null if the device does not support it.
    [[nodiscard]] pipe::Ref<pipe::Resource> image(const pipe::ResourceDesc& d) {
        if (!screen->format_supported(d.format, d.kind, d.samples, d.bind)) return nullptr;
        auto r = screen->create_resource(d);
        REQUIRE(r);
        return r;
    }
    pipe::Log log() { return messages.log(); }
    Messages messages{pipe::Severity::Warning};
    std::unique_ptr<pipe::Screen> screen;
    std::unique_ptr<pipe::Context> context;
    std::mt19937 random{7};
};

/// A scene of the device under test.
class Scene : public DriverScene {
  public:
    explicit Scene(int32_t width = 64, int32_t height = 64,
                   pipe::Format zs_format = pipe::Format::D24_UNORM_S8_UINT)
        : DriverScene(
              width, height, zs_format, [](const pipe::Log& log) { return judged().open(log); },
              pipe::Severity::Warning) {}
    ~Scene() {
        if (context->reset_status() != pipe::ResetStatus::None) messages.add("the context was lost");
        CHECK(without_notices(messages.text()) == "");
    }
    Scene(const Scene&) = delete;

    [[nodiscard]] const pipe::Caps& caps() const { return screen->caps(); }
    /// Notes cases that do not run because contexts have an older version.
    [[nodiscard]] bool older_than(int version) const {
        return lacks(caps().gles_version < version,
                     "OpenGL ES " + std::to_string(version / 10) + "." + std::to_string(version % 10));
    }

    [[nodiscard]] pipe::Ref<pipe::Resource> zeros(size_t size_B) {
        const std::vector<uint8_t> bytes(size_B);
        return buffer(bytes.data(), size_B);
    }
    /// An image of any kind. If it cannot be created, the test fails.
    [[nodiscard]] pipe::Ref<pipe::Resource> resource(const pipe::ResourceDesc& d) {
        REQUIRE(screen->format_supported(d.format, d.kind, d.samples, d.bind));
        auto r = screen->create_resource(d);
        REQUIRE(r);
        return r;
    }
    [[nodiscard]] bool supports(pipe::Format f, uint32_t bind, uint32_t samples = 1,
                                pipe::ResourceKind kind = pipe::ResourceKind::Tex2D) const {
        return screen->format_supported(f, kind, samples, bind);
    }
    /// Views of whole resources, from unit 0 of the fragment stage on, all with `sampler`.
    void textures(std::initializer_list<pipe::Ref<pipe::Resource>> resources,
                  const pipe::SamplerDesc& sampler = {.min = pipe::Filter::Nearest,
                                                      .mag = pipe::Filter::Nearest,
                                                      .mip = pipe::MipFilter::None}) {
        sampler_ = screen->create_sampler(sampler);
        REQUIRE(sampler_);
        std::vector<pipe::SamplerView*> views;
        std::vector<pipe::SamplerState*> samplers;
        for (const pipe::Ref<pipe::Resource>& r : resources) {
            pipe::SamplerViewDesc d{.kind = r->desc.kind, .format = r->desc.format};
            d.last_level = uint8_t(r->desc.levels - 1);
            d.last_layer = uint16_t(r->desc.layers - 1);
            views_.push_back(screen->create_sampler_view(r, d));
            REQUIRE(views_.back());
            views.push_back(views_.back().get());
            samplers.push_back(sampler_.get());
        }
        context->set_textures(pipe::Stage::Fragment, 0, views, samplers);
    }
    /// Whole buffers, from slot 0 on.
    void storage(pipe::Stage stage, std::initializer_list<pipe::Resource*> buffers) {
        std::vector<pipe::BufferRange> ranges;
        for (pipe::Resource* r : buffers)
            ranges.push_back({r, 0, r->desc.width});
        context->set_storage_buffers(stage, 0, ranges);
    }
    void compute(const std::string& text) {
        std::string log;
        const auto linked = compiled::link_compute(text, &log);
        REQUIRE_MESSAGE(linked, log);
        bind(*linked);
    }
    /// `position` and `color` are the attributes.
    void draw_program(const std::string& vs, const std::string& fs) {
        std::string log;
        const auto linked = compiled::link(vs, fs, &log);
        REQUIRE_MESSAGE(linked, log);
        bind(*linked);
    }
    [[nodiscard]] std::vector<uint32_t> words(pipe::Resource& r) {
        return read(r, 0, {0, 0, 0, int32_t(r.desc.width), 1, 1}, r.desc.width);
    }
    [[nodiscard]] std::vector<float> floats(pipe::Resource& r) {
        const std::vector<uint32_t> bits = words(r);
        std::vector<float> out(bits.size());
        std::memcpy(out.data(), bits.data(), out.size() * 4);
        return out;
    }
    /// At least 4 bytes.
    [[nodiscard]] std::vector<uint32_t> texel(pipe::Resource& r, uint32_t level, int32_t x, int32_t y,
                                              int32_t z = 0) {
        return read(r, level, {x, y, z, 1, 1, 1}, pipe::format_info(r.desc.format).block_B);
    }
    [[nodiscard]] uint64_t result(pipe::Query& q) {
        uint64_t value = ~uint64_t(0);
        CHECK(context->query_result(q, true, &value));
        return value;
    }

  private:
    void bind(const shaders::LinkedProgram& linked) {
        pipe::ProgramDesc d;
        d.clip_distances = linked.clip_distances;
        d.cull_distances = linked.cull_distances;
        for (size_t i = 0; i < pipe::kStageCount; ++i)
            d.stages[i] = linked.stages[i].get();
        auto p = screen->create_program(d, log());
        REQUIRE_MESSAGE(p, messages);
        context->bind_program(p.get());
        programs_.push_back(std::move(p));
    }
    std::vector<uint32_t> read(pipe::Resource& r, uint32_t level, const pipe::Box& box, size_t size_B) {
        const pipe::Mapping m = context->map(r, level, box, pipe::map_flag::kRead);
        REQUIRE(m.data);
        std::vector<uint32_t> out(size_B / 4);
        std::memcpy(out.data(), m.data, out.size() * 4);
        context->unmap(r, m);
        return out;
    }
    std::vector<pipe::Ref<pipe::Program>> programs_;
    std::vector<pipe::Ref<pipe::SamplerView>> views_;
    pipe::Ref<pipe::SamplerState> sampler_;
};

inline constexpr std::array<float, 4> kRed = {1, 0, 0, 1}, kGreen = {0, 1, 0, 1}, kBlue = {0, 0, 1, 1};
inline constexpr uint32_t kRedPixel = 0xff0000ff, kGreenPixel = 0xff00ff00, kBluePixel = 0xffff0000;

inline size_t count(const std::vector<uint32_t>& pixels, uint32_t value) {
    return size_t(std::count(pixels.begin(), pixels.end(), value));
}

}  // namespace terrazzo::test
