// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Devices by their names. tests/winsys/shim/msm_client.c tests what the kernel reports about each through
// another libdrm.
#include "drivers/adreno/sim/chips.h"

#include <doctest/doctest.h>

#include <string>

#include "drivers/adreno/hw/chips.h"

using namespace terrazzo;
using namespace terrazzo::adreno;
namespace virt = winsys::virt;

TEST_CASE("adreno chips: each row is a device, with and without its virtual GPU") {
    const virt::Chips chips = sim::virtual_chips();
    REQUIRE(chips.size() == hw::chips().size());
    for (const hw::Chip& row : hw::chips()) {
        const std::string noop = std::string("noop:") + row.name;
        std::string why;
        const virt::Chip* const chip = virt::find_chip(noop, chips);
        REQUIRE(chip);
        CHECK(chip->kernel_driver() == "msm");
        CHECK(virt::create_device(noop, chips, &why) != nullptr);
        CHECK(virt::create_device(std::string("sim:") + row.name, chips, &why) != nullptr);
    }
}

TEST_CASE("adreno chips: the row is found from the kernel's values") {
    for (const hw::Chip& row : hw::chips()) {
        const virt::msm::GpuInfo info = sim::gpu_info(row);
        CHECK(hw::find_chip(info.gpu_id, info.chip_id) == &row);
        CHECK(info.gmem_size_B == row.gmem_size_B);
        CHECK(info.va_start % 4096 == 0);
        CHECK(info.va_start + info.va_size_B <= uint64_t(1) << 48);
        CHECK(info.max_freq_hz > 600'000'000);  // the SoC's frequency is known
    }
}

TEST_CASE("adreno chips: the names in Linux's lists") {
    const virt::Chip* const chip = virt::find_chip("noop:adreno-650", sim::virtual_chips());
    REQUIRE(chip);
    const virt::PlatformDevice p = chip->platform();
    CHECK(std::string(p.address) == "3d00000");
    CHECK(std::string(p.driver) == "adreno");
    REQUIRE(p.compatible.size() == 2);
    CHECK(std::string(p.compatible[0]) == "qcom,adreno-650.2");
    CHECK(std::string(p.compatible[1]) == "qcom,adreno");
}
