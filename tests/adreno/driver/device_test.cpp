// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/adreno/driver/device_fixture.h"

#include "drivers/mali/sim/chips.h"

using namespace terrazzo;
using namespace terrazzo::test;

TEST_CASE("device: every chip opens, and knows how its images lie") {
    for (const adreno::hw::Chip& chip : adreno::hw::chips()) {
        CAPTURE(chip.name);
        const auto device = open_adreno(("noop:" + std::string(chip.name)).c_str());
        CHECK(device->chip().gpu_id == chip.gpu_id);
        CHECK(device->image_memory().highest_bank_bit == chip.highest_bank_bit);
        CHECK(device->image_memory().ubwc_linear_levels == (chip.gpu_id == 660));
        CHECK(device->priorities() >= 1);
    }
}

TEST_CASE("device: another kernel driver's file is refused, with its name") {
    std::string why;
    auto file = winsys::virt::create_device("noop:mali-g610", mali::sim::virtual_chips(), &why);
    REQUIRE(file);
    CHECK(!adreno::Device::create(winsys::open_virtual_drm(std::move(file)), {}, &why));
    CHECK(why.find("the kernel driver is panthor") == 0);
}
