// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A row of chips.h becomes what the kernel tells of the chip, and a maker of its virtual GPU.
#include "drivers/mali/sim/chips.h"

#include <array>
#include <thread>
#include <utility>

#include "drivers/mali/sim/capture.h"
#include "drivers/mali/sim/gpu.h"
#include "drivers/mali/sim/jobs.h"

namespace terrazzo::mali::sim {

namespace {

constexpr size_t kMostChips = 16;

template <size_t kIndex>
std::unique_ptr<winsys::virt::Gpu> create() {
    const unsigned cores = std::thread::hardware_concurrency();
    return create_gpu(hw::chips()[kIndex], make_jobs, cores ? cores : 1);
}
template <size_t kIndex>
std::unique_ptr<winsys::virt::Gpu> watch(std::unique_ptr<winsys::virt::Gpu> gpu) {
    TraceOptions options;
    if (!trace_options(pipe::debug_options(), &options)) return gpu;
    return create_capture_gpu(hw::chips()[kIndex], std::move(gpu), std::move(options));
}
struct Functions {
    std::unique_ptr<winsys::virt::Gpu> (*create)();
    std::unique_ptr<winsys::virt::Gpu> (*watch)(std::unique_ptr<winsys::virt::Gpu>);
};
template <size_t... kIndices>
constexpr std::array<Functions, kMostChips> functions(std::index_sequence<kIndices...>) {
    return {Functions{create<kIndices>, watch<kIndices>}...};
}

struct Rows {
    std::array<winsys::virt::GpuInfo, kMostChips> info{};
    std::array<winsys::virt::Chip, kMostChips> chip{};
    size_t count = 0;
    Rows() {
        constexpr auto of_chip = functions(std::make_index_sequence<kMostChips>());
        for (; count < hw::chips().size() && count < kMostChips; ++count) {
            info[count] = gpu_info(hw::chips()[count]);
            chip[count] = {&info[count], of_chip[count].create, of_chip[count].watch};
        }
    }
    Rows(const Rows&) = delete;
};

}  // namespace

std::span<const winsys::virt::Chip> virtual_chips() {
    static const Rows rows;
    return {rows.chip.data(), rows.count};
}

}  // namespace terrazzo::mali::sim
