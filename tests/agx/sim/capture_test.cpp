// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A draw through the virtual kernel, its recording as text, and the recording's replay.
#include <doctest/doctest.h>

#include <cstdlib>

#include "drivers/agx/decode/decode.h"
#include "drivers/agx/sim/chips.h"
#include "drivers/common/host/gpu.h"
#include "drivers/common/host/replay.h"
#include "tests/agx/sim/gpu_fixture.h"
#include "tests/winsys/virtual/asahi_kernel.h"

namespace terrazzo::tests::agx {
namespace {

namespace decode = terrazzo::agx::decode;
using terrazzo::decode::Decoded;

std::vector<uint8_t> contents(const std::string& name) {
    std::vector<uint8_t> bytes;
    std::FILE* const f = std::fopen(name.c_str(), "rb");
    REQUIRE(f);
    for (int c; (c = std::fgetc(f)) != EOF;)
        bytes.push_back(uint8_t(c));
    std::fclose(f);
    return bytes;
}

/// A name of a file that does not survive.
struct TemporaryFile {
    TemporaryFile() {
        const int fd = mkstemp(name.data());
        REQUIRE(fd >= 0);
        close(fd);
    }
    ~TemporaryFile() { unlink(name.c_str()); }
    std::string name = "/tmp/terrazzo-agx-test-XXXXXX";
};

/// The device of the first chip; what it is given is recorded.
std::shared_ptr<winsys::virt::Device> recorded_device(capture::TraceOptions trace) {
    const host::Chip& chip = *terrazzo::agx::sim::host_vendor().chips.front();
    return chip.create_kernel_device(host::create_gpu(chip, {.trace = std::move(trace)}), {});
}

struct LastPicture final : host::PictureSink {
    void picture(const host::Picture& p) override { kept = p; }
    host::Picture kept;
};

uapi::drm_asahi_bg_eot tile_program(const virt::TileProgram& p) {
    return {p.usc, p.rsrc_spec};
}

/// The scene's memory and its command, by requests.
struct KernelScene {
    KernelScene(Scene& scene, capture::TraceOptions trace) : k(recorded_device(std::move(trace))) {
        std::memset(scene.memory.at(scene.image_va), 0, scene.layout.surface.size_B);
        const uint32_t vm = k.vm(), bo = k.bo(GpuMemory::kSize_B);
        const uint32_t queue = k.queue(vm, uapi::kAsahiPriorityMedium, 0), done = k.syncobj();
        k.bind(vm, bo, GpuMemory::kBase, GpuMemory::kSize_B);
        memory = k.map<uint8_t>(bo, GpuMemory::kSize_B);
        std::memcpy(memory, scene.memory.at(GpuMemory::kBase), GpuMemory::kSize_B);
        const virt::RenderCommand& c = scene.command;
        uapi::drm_asahi_cmd_render r{};
        r.flags = c.flags;
        r.vdm_ctrl_stream_base = c.vdm_ctrl_stream_base;
        r.ppp_multisamplectl = c.ppp_multisamplectl;
        r.width_px = uint16_t(c.width_px), r.height_px = uint16_t(c.height_px);
        r.layers = uint16_t(c.layers), r.samples = uint8_t(c.samples);
        r.utile_width_px = uint8_t(c.utile_width_px), r.utile_height_px = uint8_t(c.utile_height_px);
        r.sample_size_B = uint8_t(c.sample_size_B);
        r.bg = tile_program(c.bg), r.eot = tile_program(c.eot);
        r.partial_bg = tile_program(c.partial_bg), r.partial_eot = tile_program(c.partial_eot);
        REQUIRE(k.submit_error(queue, test::CommandBuffer().add(uapi::kAsahiCmdRender, r), {},
                               {{uapi::kAsahiSyncSyncobj, done, 0}}) == 0);
        REQUIRE(k.wait(done) == 0);
        CHECK(k.status(done) == 1);
    }
    ~KernelScene() { munmap(memory, GpuMemory::kSize_B); }

    test::AsahiKernel k;
    uint8_t* memory = nullptr;
};

/// The scene's target, in an address space's bytes at kBase.
std::vector<uint32_t> target_of(const Scene& scene, const uint8_t* base) {
    std::vector<uint32_t> pixels(size_t(scene.width) * scene.height);
    REQUIRE(pipe::detile_rect(scene.layout.surface, base + (scene.image_va - GpuMemory::kBase), 0,
                              {0, 0, 0, int32_t(scene.width), int32_t(scene.height), 1}, pixels.data(),
                              ptrdiff_t(scene.width) * 4, 0));
    return pixels;
}

void draw_triangle(Scene& scene) {
    scene.set_clear(0, 0, 1, 1);
    scene.begin();
    scene.draw({{{-1, -1, 0.5f, 1}, {1, 0, 0, 1}}, {{1, -1, 0.5f, 1}, {0, 1, 0, 1}}, {{-1, 1, 0.5f, 1}, {}}});
    REQUIRE(scene.finish() == "");
}

TEST_CASE("agx capture: a draw through the kernel, recorded, decoded and replayed") {
    Scene scene(70, 50);
    draw_triangle(scene);
    const TemporaryFile file;
    {
        const KernelScene kernel(scene, {.file = file.name});
        CHECK(target_of(scene, kernel.memory) == scene.pixels);
    }
    const std::vector<uint8_t> bytes = contents(file.name);

    std::string why;
    fields::StringSink text;
    REQUIRE(decode::decode_file(bytes, {}, text, &why) == Decoded::Printed);
    CHECK(text.text.find("Chip: Apple M1 (") == 0);
    size_t at = 0;
    for (const char* const part :
         {"Submission 0: queue 0", "Render @", "size: 70x50 pixels, 1 layers, 1 samples",
          "vdm_ctrl_stream_base: 0x", "Fragment program @", "Vertex program @", "device_load", "Draw @",
          "Submission 1: queue 1", "Fragment work of the render @", "Background program @",
          "End-of-tile program @", "image_write_block"}) {
        const size_t found = text.text.find(part, at);
        REQUIRE_MESSAGE(found != std::string::npos, part, " in ", text.text);
        at = found;
    }
    text.text.clear();
    REQUIRE(decode::decode_file(bytes, {.stats = true}, text, &why) == Decoded::Printed);
    CHECK(text.text.find("submissions            2\n") == 0);
    CHECK(text.text.find("\ndraws                  1\n") != std::string::npos);

    const host::Vendor& vendor = terrazzo::agx::sim::host_vendor();
    host::ReplayCounts counts;
    LastPicture last;
    host::ReplayOptions options;
    options.pictures = &last;
    host::Player player(vendor, options, text, &counts);
    REQUIRE_MESSAGE(capture::play_capture(bytes, player, &why), why);
    player.finish();
    CHECK(counts.submits == 2);
    CHECK(counts.faults == 0);
    CHECK(counts.work.draws == 1);
    CHECK(counts.work.vertices == 3);
    CHECK(counts.pictures == 1);
    CHECK(last.kept.submission == 1);
    REQUIRE(last.kept.rgba.size() == scene.pixels.size() * 4);
    CHECK(std::memcmp(last.kept.rgba.data(), scene.pixels.data(), last.kept.rgba.size()) == 0);
    const window::Mapping there = player.memory().recorded(GpuMemory::kBase);
    REQUIRE(there.end >= scene.image_va + scene.layout.surface.size_B);
    CHECK(target_of(scene, there.host + (GpuMemory::kBase - there.begin)) == scene.pixels);
}

TEST_CASE("agx capture: the text of a trace is the decoder's") {
    Scene scene;
    draw_triangle(scene);
    std::FILE* const out = std::tmpfile();
    REQUIRE(out);
    { const KernelScene kernel(scene, {.text = out}); }
    std::string text(size_t(std::ftell(out)), 0);
    std::rewind(out);
    REQUIRE(std::fread(text.data(), 1, text.size(), out) == text.size());
    std::fclose(out);
    CHECK(text.find("queue 0") < text.find("Render @"));
    CHECK(text.find("queue 1") < text.find("Fragment work of the render @"));
    CHECK(text.find("Fragment work of the render @") != std::string::npos);
    CHECK(text.find("unmapped") == std::string::npos);
}

TEST_CASE("agx decode: commands that are not there, queues that do not exist, registers that are set") {
    capture::Ranges memory;
    fields::StringSink sink;
    CHECK_FALSE(decode::print_command(memory, 0x1000, virt::WorkQueue::Compute, sink));
    CHECK(sink.text == "Dispatches @0x1000: unmapped\n");
    CHECK_FALSE(decode::print_command(memory, 0x1000, virt::WorkQueue(7), sink));
    CHECK(sink.text.find("! a group has no queue 7\n") != std::string::npos);

    virt::RenderCommand r{};
    r.depth.store = {0x123400, 64, 0, 0};
    r.vertex_helper = {5, 6, 7};
    r.vertex_usc_base = 0x1000, r.fragment_usc_base = 0x2000;
    r.fragment_attachments.count = 1;
    r.fragment_attachments.list[0] = {0x50000, 4096};
    memory.put(0x1000, {reinterpret_cast<const uint8_t*>(&r), sizeof r});
    sink.text.clear();
    CHECK_FALSE(decode::print_command(memory, 0x1000, virt::WorkQueue::Vertex, sink));
    for (const char* const line :
         {"depth.store: base 0x123400, stride 0x40", "vertex_helper: binary 0x5, cfg 0x6, data 0x7",
          "fragment_attachments[0]: 4096 bytes @0x50000", "! fragment programs, too", "! the stream leaves"})
        CHECK_MESSAGE(sink.text.find(line) != std::string::npos, line, " in ", sink.text);
}

}  // namespace
}  // namespace terrazzo::tests::agx
