// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The waits of maps. tests/pipe_conformance tests the data that maps read and write.
#include "drivers/common/images/transfer.h"

#include "drivers/mali/hw/cs.h"
#include "drivers/mali/submission/queues.h"
#include "tests/mali/driver/images/images_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::test;
using pipe::Box;
using pipe::Format;
using pipe::ResourceKind;
namespace bind = pipe::bind;
namespace flag = pipe::map_flag;

namespace {

struct Setup {
    pipe::Ref<Device> device = open_device("noop:mali-g610");
    std::mt19937 random{7};
    pipe::Ref<MaliResource> image(Format f, uint32_t w, uint32_t h, bool linear,
                                  ResourceKind kind = ResourceKind::Tex2D, uint32_t levels = 1) {
        pipe::ResourceDesc d = image_desc(f, w, h, levels, bind::kSampled | (linear ? bind::kLinear : 0));
        d.kind = kind;
        if (kind == ResourceKind::Cube) d.layers = 6;
        if (kind == ResourceKind::Tex3D) d.depth = 5;
        auto r = MaliResource::create(*device, d);
        REQUIRE(r);
        CHECK(r->layout.tiling == (linear ? pipe::Tiling::Linear : pipe::Tiling::Interleaved));
        return r;
    }
    pipe::Ref<MaliResource> buffer(uint32_t size_B) {
        pipe::ResourceDesc d;
        d.kind = ResourceKind::Buffer;
        d.width = size_B;
        auto r = MaliResource::create(*device, d);
        REQUIRE(r);
        return r;
    }
};

uint64_t move(unsigned r, uint64_t v) {
    return hw::pack64(hw::CsMove{.immediate = v, .destination = r});
}

// Work that ends when the test tells it to.
struct BusySetup : Setup {
    BusySetup() {
        device = open_device("sim:mali-g610");
        queues = Queues::create(device, 1);
        memory = device->create_bo(4096, 0);
        REQUIRE(queues);
        REQUIRE(memory);
    }
    ~BusySetup() { finish(); }
    void keep_busy(MaliResource& r, bool write) {
        const uint64_t stream[] = {
            move(10, memory->va), move(12, ++round),
            hw::pack64(hw::CsSyncWait64{.condition = hw::CsCondition::Greater, .data = 12, .address = 10})};
        uint8_t* at = memory->cpu + 64 * round;
        std::memcpy(at, stream, sizeof(stream));
        const uint64_t point =
            queues->submit({Stream{}, Stream{memory->va + 64 * round, sizeof(stream)}, Stream{}}, {});
        REQUIRE(point);
        r.bo()->uses.note(queues->timeline(), point, write);
    }
    void finish() {
        const uint64_t value = round + 1;
        std::memcpy(memory->cpu, &value, 8);
    }
    std::unique_ptr<Queues> queues;
    pipe::Ref<Bo> memory;
    uint64_t round = 0;
};

}  // namespace

TEST_CASE_FIXTURE(Setup, "transfer: boxes outside the image are refused") {
    auto r = image(Format::R8G8B8A8_UNORM, 40, 40, false);
    for (const Box& box : {Box{0, 0, 0, 41, 1, 1}, Box{-1, 0, 0, 1, 1, 1}, Box{0, 39, 0, 1, 2, 1},
                           Box{0, 0, 1, 1, 1, 1}, Box{0, 0, 0, 1, 1, 2}})
        CHECK(!images::map_resource(*r, 0, box, flag::kRead).data);
    CHECK(!images::map_resource(*r, 1, {0, 0, 0, 1, 1, 1}, flag::kRead).data);
    auto b = buffer(100);
    CHECK(!images::map_resource(*b, 0, {90, 0, 0, 11, 1, 1}, flag::kRead).data);
    CHECK(images::map_resource(*b, 0, {90, 0, 0, 10, 1, 1}, flag::kRead).data);
}

TEST_CASE_FIXTURE(BusySetup, "transfer: the flags decide about waiting") {
    for (const bool is_buffer : {false, true}) {
        auto r = is_buffer ? buffer(400) : image(Format::R8G8B8A8_UNORM, 10, 10, false);
        const Box box = is_buffer ? Box{0, 0, 0, 400, 1, 1} : level_box(*r, 0);
        const uint64_t va = r->va();
        keep_busy(*r, false);
        // The GPU only reads: the CPU may also read.
        pipe::Mapping m = images::map_resource(*r, 0, box, flag::kRead);
        CHECK(m.data);
        images::unmap_resource(*r, m);
        CHECK(!images::map_resource(*r, 0, box, flag::kWrite | flag::kDontBlock).data);
        m = images::map_resource(*r, 0, box, flag::kWrite | flag::kUnsynchronized);
        CHECK(m.data);
        images::unmap_resource(*r, m);
        CHECK(r->va() == va);
        keep_busy(*r, true);
        CHECK(!images::map_resource(*r, 0, box, flag::kRead | flag::kDontBlock).data);
        finish();
        m = images::map_resource(*r, 0, box, flag::kRead);
        CHECK(m.data);
        images::unmap_resource(*r, m);
    }
}
