// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context's access to images on the virtual GPU.
#include "tests/common/images/access_cases.h"
#include "tests/common/images/buffer_cases.h"
#include "tests/common/images/sharing_cases.h"

#include "drivers/mali/screen.h"
#include "drivers/mali/sim/chips.h"
#include "winsys/uapi/panthor.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

auto maker(DrmControl& control) {
    return [&control](const pipe::Log& log) {
        std::string why;
        auto file = winsys::virt::create_device("sim:mali-g610", mali::sim::virtual_chips(), &why);
        REQUIRE_MESSAGE(file, why);
        auto device = mali::Device::create(
            std::make_unique<ControlledDrm>(winsys::open_virtual_drm(std::move(file)), control), log, &why);
        REQUIRE_MESSAGE(device, why);
        device->debug.set(pipe::DebugWord::Perf);
        return std::make_unique<mali::MaliScreen>(std::move(device));
    };
}

}  // namespace

TEST_CASE("access: the device writes to busy images, and the CPU does not wait") {
    DrmControl control;
    AccessScene s(maker(control));
    using K = pipe::ResourceKind;
    for (const K kind : {K::Tex2D, K::Tex2DArray, K::Cube, K::Tex3D}) {
        CAPTURE(unsigned(kind));
        CHECK(check_uploads(s, kind) > 30);
    }
}

TEST_CASE("access: the device writes to ranges of busy buffers, and the CPU does not wait") {
    DrmControl control;
    AccessScene s(maker(control));
    check_busy_buffers(s);
    check_busy_buffers(s, 512 << 10);
    check_busy_buffers(s, (512 << 10) + 1);
    check_buffer_copies(s);
    check_busy_buffers_of_two_contexts(s);
}

TEST_CASE("access: two contexts, uploads and forms") {
    DrmControl control;
    AccessScene s(maker(control));
    check_uploads_of_two_contexts(s);
    check_renewed_images(s);
    check_uploads_to_compressed(s);
    check_forms_of_two_contexts(s, "mali");
}

TEST_CASE("access: a map ends although its data cannot be copied back") {
    DrmControl control;
    control.create_request = uapi::kPanthorBoCreate;
    AccessScene s(maker(control));
    check_failed_unmaps(s, control);
}

TEST_CASE("access: shared images with each modifier") {
    DrmControl control;
    AccessScene s(maker(control));
    CHECK(check_modifiers(s) > 50);
}

TEST_CASE("access: two resources with the same memory") {
    DrmControl control;
    AccessScene s(maker(control));
    check_memory_of_two(s);
}
