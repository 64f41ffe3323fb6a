// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A scene with programs of OpenGL ES 3.1, storage buffers and images.
#pragma once

#include "tests/adreno/driver/open_scene.h"
#include "tests/common/compiler/link.h"

namespace terrazzo::test {

struct StorageScene : DriverScene {
    explicit StorageScene(std::optional<pipe::DebugWord> mode = {})
        : DriverScene(64, 64, pipe::Format::D24_UNORM_S8_UINT, screen_maker(mode)) {}

    /// Zeros, or what `data` has.
    pipe::Ref<pipe::Resource> buffer(size_t size_B, const void* data = nullptr) {
        const std::vector<uint8_t> zeros(size_B);
        return DriverScene::buffer(data ? data : zeros.data(), size_B);
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
    [[nodiscard]] std::vector<uint32_t> texel(pipe::Resource& r, uint32_t level, int32_t x, int32_t y,
                                              int32_t z = 0) {
        return read(r, level, {x, y, z, 1, 1, 1}, pipe::format_info(r.desc.format).block_B);
    }

  private:
    void bind(const shaders::LinkedProgram& linked) {
        pipe::ProgramDesc d;
        d.clip_distances = linked.clip_distances;
        d.cull_distances = linked.cull_distances;
        for (size_t i = 0; i < pipe::kStageCount; ++i)
            d.stages[i] = linked.stages[i].get();
        const pipe::Log log{[](void* to, pipe::Severity, std::string_view text) {
                                static_cast<std::string*>(to)->append(text);
                            },
                            &messages};
        auto p = screen->create_program(d, log);
        REQUIRE_MESSAGE(p, messages);
        context->bind_program(p.get());
        programs_.push_back(std::move(p));
    }
    std::vector<uint32_t> read(pipe::Resource& r, uint32_t level, const pipe::Box& box, size_t size_B) {
        const pipe::Mapping m = context->map(r, level, box, pipe::map_flag::kRead);
        REQUIRE(m.data);
        std::vector<uint32_t> out(size_B / 4);
        std::memcpy(out.data(), m.data, size_B);
        context->unmap(r, m);
        return out;
    }
    std::vector<pipe::Ref<pipe::Program>> programs_;
};

}  // namespace terrazzo::test
