// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Images that two CPU devices share, like two processes would.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>

#include "pipe/time_limit.h"
#include "tests/soft/scene.h"

namespace terrazzo::soft::test {

namespace {

constexpr uint32_t kW = 13, kH = 7;

pipe::ResourceDesc picture(uint32_t bind = pipe::bind::kSampled | pipe::bind::kColor | pipe::bind::kShared) {
    pipe::ResourceDesc d;
    d.format = pipe::Format::R8G8B8A8_UNORM;
    d.width = kW, d.height = kH;
    d.bind = bind;
    return d;
}

/// Draws and flushes without waiting.
pipe::Ref<pipe::Fence> begin_clear(pipe::Context& context, pipe::Resource& r, const float rgba[4]) {
    pipe::RenderPassDesc pass;
    pass.color_count = 1;
    pass.color[0].resource = &r;
    pass.color[0].format = r.desc.format;
    pass.width = r.desc.width, pass.height = r.desc.height;
    pass.color[0].load = pipe::LoadOp::Clear;
    std::memcpy(pass.clear_color[0].f, rgba, sizeof(float) * 4);
    context.begin_render_pass(pass);
    context.end_render_pass();
    pipe::Ref<pipe::Fence> fence = context.flush();
    REQUIRE(fence);
    return fence;
}

void clear_to(pipe::Context& context, pipe::Resource& r, const float rgba[4]) {
    REQUIRE(begin_clear(context, r, rgba)->wait(pipe::Fence::kForever));
}

}  // namespace

TEST_CASE("shared image: one device reads what another one draws") {
    Scene first, second;
    const uint64_t any[] = {pipe::kModifierInvalid};
    pipe::Ref<pipe::Resource> drawn = first.screen.create_shared_resource(picture(), any);
    REQUIRE(drawn);
    pipe::SharedImage image;
    REQUIRE(first.screen.export_resource(*drawn, &image));
    CHECK(image.modifier == pipe::kModifierLinear);
    CHECK(image.stride_B == 64);
    pipe::Ref<pipe::Resource> read = second.screen.import_resource(picture(), image);
    close(image.fd);
    REQUIRE(read);
    const float color[4] = {1, 0, 1, 0};
    clear_to(*first.context, *drawn, color);
    const pipe::Box all = {0, 0, 0, int32_t(kW), int32_t(kH), 1};
    const pipe::Mapping m = second.context->map(*read, 0, all, pipe::map_flag::kRead);
    REQUIRE(m.data);
    CHECK(m.row_stride_B == 64);
    for (uint32_t y = 0; y < kH; ++y)
        for (uint32_t x = 0; x < kW; ++x) {
            uint32_t pixel;
            std::memcpy(&pixel, static_cast<uint8_t*>(m.data) + y * 64 + x * 4, 4);
            CHECK(pixel == 0x00ff00ff);
        }
    second.context->unmap(*read, m);
    // In the other direction: an imported image can be exported again.
    pipe::SharedImage again;
    REQUIRE(second.screen.export_resource(*read, &again));
    CHECK(again.stride_B == 64);
    close(again.fd);
}

TEST_CASE("shared image: a flush returns when its drawing is visible to others and its reads are done") {
    Scene scene({.threads = 4});
    const uint64_t linear[] = {pipe::kModifierLinear};
    pipe::ResourceDesc large = picture();
    large.width = large.height = 2048;
    pipe::Ref<pipe::Resource> drawn = scene.screen.create_shared_resource(large, linear);
    REQUIRE(drawn);
    pipe::SharedImage image;
    REQUIRE(scene.screen.export_resource(*drawn, &image));
    const auto seen = winsys::SharedMemory::import(image.fd);
    close(image.fd);
    REQUIRE(seen);
    for (uint32_t i = 1; i < 20; ++i) {
        const float color[4] = {float(i) / 255, 0, 0, 0};
        const pipe::Ref<pipe::Fence> fence = begin_clear(*scene.context, *drawn, color);
        CHECK(seen->data()[0] == i);
        CHECK(seen->data()[(size_t(large.height) - 1) * image.stride_B + size_t(large.width - 1) * 4] == i);
        CHECK(fence->wait(0));
    }
}

TEST_CASE("shared image: images that break a rule are refused") {
    Scene scene;
    const uint64_t linear[] = {pipe::kModifierLinear}, tiled[] = {0x0500000000000003ull};
    CHECK(!scene.screen.create_shared_resource(picture(), tiled));
    CHECK(!scene.screen.create_shared_resource(picture(), {}));
    pipe::Ref<pipe::Resource> r = scene.screen.create_shared_resource(picture(), linear);
    REQUIRE(r);
    pipe::SharedImage good;
    REQUIRE(scene.screen.export_resource(*r, &good));
    CHECK(scene.screen.import_resource(picture(), good));
    const auto refused = [&](auto&& spoil) {
        pipe::SharedImage bad = good;
        pipe::ResourceDesc d = picture();
        spoil(bad, d);
        return !scene.screen.import_resource(d, bad);
    };
    using Image = pipe::SharedImage;
    using Desc = pipe::ResourceDesc;
    CHECK(refused([](Image& i, Desc&) { i.fd = -1; }));
    CHECK(refused([](Image& i, Desc&) { i.modifier = 1; }));
    CHECK(refused([](Image& i, Desc&) { i.stride_B = kW * 4 - 4; }));
    CHECK(
        refused([](Image& i, Desc&) { i.stride_B = kW * 4 + 2; }));  // drawing needs strides of whole pixels
    CHECK(!refused([](Image& i, Desc&) { i.stride_B = kW * 4; }));
    CHECK(refused([](Image& i, Desc&) { i.offset_B = ~0u; }));
    CHECK(refused([](Image& i, Desc&) { i.stride_B = ~0u; }));
    CHECK(refused([](Image&, Desc& d) { d.height = 4096; }));
    CHECK(refused([](Image&, Desc& d) { d.width = 0; }));
    CHECK(refused([](Image&, Desc& d) { d.levels = 2; }));
    CHECK(refused([](Image&, Desc& d) { d.format = pipe::Format::D16_UNORM; }));
    // Sampling only needs the rows themselves.
    CHECK(!refused([](Image& i, Desc& d) {
        i.stride_B = kW * 4;
        d.bind = pipe::bind::kSampled;
    }));
    close(good.fd);
    // An unshared image has no descriptor.
    pipe::Ref<pipe::Resource> plain = scene.screen.create_resource(picture(pipe::bind::kSampled));
    REQUIRE(plain);
    pipe::SharedImage none;
    CHECK(!scene.screen.export_resource(*plain, &none));
    CHECK(none.fd == -1);
}

namespace {

uint64_t milliseconds(const std::function<void()>& f) {
    const auto before = std::chrono::steady_clock::now();
    f();
    return uint64_t(
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - before)
            .count());
}

}  // namespace

TEST_CASE(
    "shared image: a lock that is never released costs one wait of the draw limit, and the message names its "
    "holder") {
    setenv("TERRAZZO_DRAW_LIMIT", "0.2", 1);
    for (const bool robust : {false, true}) {
        CAPTURE(robust);
        SceneOptions options;
        options.robust = robust;
        Scene scene(options);
        const uint64_t linear[] = {pipe::kModifierLinear};
        pipe::Ref<pipe::Resource> r = scene.screen.create_shared_resource(picture(), linear);
        REQUIRE(r);
        if (soft(*r).shared_memory()->is_dmabuf())
            break;  // the kernel's fences are used, which no program can hold back
        pipe::SharedImage image;
        REQUIRE(scene.screen.export_resource(*r, &image));
        winsys::MemfdUses stranger(image.fd, true);
        const uint64_t use = stranger.begin(true);
        REQUIRE(use);
        const float color[4] = {1, 0, 1, 0};
        const auto draw = [&] { clear_to(*scene.context, *r, color); };
        const uint64_t first = milliseconds(draw);
        CHECK(first >= 190);
        CHECK(first < 2000);
        CHECK(scene.messages.has("process " + std::to_string(getpid()) + " uses the shared image of 13x7"));
        scene.messages.clear();
        CHECK(milliseconds(draw) < 150);
        const pipe::Box all = {0, 0, 0, int32_t(kW), int32_t(kH), 1};
        CHECK(milliseconds([&] {
                  const pipe::Mapping m = scene.context->map(*r, 0, all, pipe::map_flag::kRead);
                  REQUIRE(m.data);
                  CHECK(static_cast<uint8_t*>(m.data)[0] == 255);
                  scene.context->unmap(*r, m);
              }) < 150);
        CHECK(scene.messages.empty());
        CHECK(scene.context->reset_status() == pipe::ResetStatus::None);
        // After the release others are waited for again.
        stranger.end(use);
        draw();
        const uint64_t again = stranger.begin(false);
        CHECK(!scene.context->map(*r, 0, all, pipe::map_flag::kWrite | pipe::map_flag::kDontBlock).data);
        CHECK(milliseconds(draw) >= 190);
        stranger.end(again);
    }
    unsetenv("TERRAZZO_DRAW_LIMIT");
}

TEST_CASE("shared image: a context that is no longer waited for ends soon, even if others have its images") {
    const uint64_t linear[] = {pipe::kModifierLinear};
    uint64_t took = 0;
    std::unique_ptr<winsys::MemfdUses> stranger;
    {
        Scene scene;
        pipe::Ref<pipe::Resource> r = scene.screen.create_shared_resource(picture(), linear);
        REQUIRE(r);
        if (soft(*r).shared_memory()->is_dmabuf()) return;
        pipe::SharedImage image;
        REQUIRE(scene.screen.export_resource(*r, &image));
        stranger = std::make_unique<winsys::MemfdUses>(image.fd, true);
        REQUIRE(stranger->begin(true));
        pipe::RenderPassDesc pass;
        pass.color_count = 1;
        pass.color[0].resource = r.get();
        pass.color[0].format = r->desc.format;
        pass.width = kW, pass.height = kH;
        pass.color[0].load = pipe::LoadOp::Clear;
        scene.context->begin_render_pass(pass);
        scene.context->end_render_pass();
        took = milliseconds([&] { scene.context.reset(); });
    }
    CHECK(took >= pipe::kAbandonedLimit_ns / 1'000'000 - 20);
    CHECK(took < 5000);
}

TEST_CASE(
    "shared image: each cause of a refusal has a name, and memory that is sealed against writing is read "
    "alone") {
    Scene scene;
    const int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    REQUIRE(ftruncate(fd, 8192) == 0);
    REQUIRE(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_WRITE) == 0);
    auto status = pipe::ImportStatus::Ok;
    const pipe::SharedImage image{fd, pipe::kModifierLinear, 0, 64};
    const auto why = [&](const pipe::ResourceDesc& d, const pipe::SharedImage& i) {
        status = pipe::ImportStatus::Ok;
        CHECK(!scene.screen.import_resource(d, i, &status));
        return status;
    };
    CHECK(why(picture(), image) == pipe::ImportStatus::Unwritable);
    CHECK(why(picture(pipe::bind::kSampled), {-1, 0, 0, 64}) == pipe::ImportStatus::NotShared);
    CHECK(why(picture(pipe::bind::kSampled), {fd, 5, 0, 64}) == pipe::ImportStatus::Modifier);
    CHECK(why(picture(pipe::bind::kSampled), {fd, 0, 0, kW * 4 - 1}) == pipe::ImportStatus::StrideTooSmall);
    CHECK(why(picture(), {fd, 0, 0, kW * 4 + 2}) == pipe::ImportStatus::StrideUnsuited);
    CHECK(why(picture(pipe::bind::kSampled), {fd, 0, 8000, 64}) == pipe::ImportStatus::TooSmall);
    const pipe::Ref<pipe::Resource> r = scene.screen.import_resource(picture(pipe::bind::kSampled), image);
    close(fd);
    REQUIRE(r);
    CHECK(r->not_writable);
    // Every method with which the CPU writes must wait.
    const pipe::Box all = {0, 0, 0, int32_t(kW), int32_t(kH), 1};
    namespace flag = pipe::map_flag;
    CHECK(!scene.context->map(*r, 0, all, flag::kWrite).data);
    CHECK(!scene.context->map(*r, 0, all, flag::kWrite | flag::kUnsynchronized).data);
    const pipe::Mapping read = scene.context->map(*r, 0, all, flag::kRead);
    CHECK(read.data);
    scene.context->unmap(*r, read);
    const pipe::Ref<pipe::Resource> plain = scene.screen.create_resource(picture());
    scene.context->copy_region(*r, 0, 0, 0, 0, *plain, 0, all);
    pipe::BlitInfo blit;
    blit.src.resource = plain.get();
    blit.dst.resource = r.get();
    blit.src.format = blit.dst.format = picture().format;
    blit.src.box = blit.dst.box = all;
    CHECK(!scene.context->try_blit(blit));
}

TEST_CASE("shared image: formats say how they can be shared") {
    Scene scene;
    const auto color = scene.screen.modifiers(pipe::Format::B8G8R8A8_UNORM);
    REQUIRE(color.size() == 1);
    CHECK(color[0].value == pipe::kModifierLinear);
    CHECK(!color[0].sampled_only);
    CHECK(scene.screen.modifiers(pipe::Format::D16_UNORM).empty());
    CHECK(scene.screen.modifiers(pipe::Format::None).empty());
}

}  // namespace terrazzo::soft::test
