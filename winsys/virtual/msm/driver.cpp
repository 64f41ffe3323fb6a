// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/msm/driver.h"

#include <cerrno>
#include <new>

#include "winsys/virtual/fences/sync_wait.h"
#include "winsys/virtual/files/file.h"

namespace terrazzo::winsys::virt::msm {
namespace {

constexpr IoctlDesc kIoctls[] = {
    {uapi::kMsmGetParam, kRenderAllow, ioctls::get_param},
    {uapi::kMsmSetParam, kRenderAllow, ioctls::set_param},
    {uapi::kMsmGemNew, kRenderAllow, ioctls::gem_new},
    {uapi::kMsmGemInfo, kRenderAllow, ioctls::gem_info},
    {uapi::kMsmGemCpuPrep, kRenderAllow, ioctls::gem_cpu_prep},
    {uapi::kMsmGemCpuFini, kRenderAllow, ioctls::gem_cpu_fini},
    {uapi::kMsmGemSubmit, kRenderAllow, ioctls::gem_submit},
    {uapi::kMsmWaitFence, kRenderAllow, ioctls::wait_fence},
    {uapi::kMsmGemMadvise, kRenderAllow, ioctls::gem_madvise},
    {0, 0, nullptr},
    {uapi::kMsmSubmitqueueNew, kRenderAllow, ioctls::submitqueue_new},
    {uapi::kMsmSubmitqueueClose, kRenderAllow, ioctls::submitqueue_close},
    {uapi::kMsmSubmitqueueQuery, kRenderAllow, ioctls::submitqueue_query},
    {uapi::kMsmVmBind, kRenderAllow, ioctls::vm_bind},
};
static_assert(sizeof kIoctls / sizeof kIoctls[0] == uapi::kMsmIoctlCount);

}  // namespace

Driver::Driver(Device& device, const GpuInfo& info, std::unique_ptr<Gpu> gpu, SchedulerOptions options)
    : info_(info), gpu_(std::move(gpu)), scheduler_(device.domain, gpu_ != nullptr, std::move(options)) {}

Driver::~Driver() = default;

const KernelDriver::Version& Driver::version() const {
    static constexpr Version kVersion = {"msm", "MSM Snapdragon DRM", "0", 1, 13, 0};
    return kVersion;
}

std::unique_ptr<DriverFile> Driver::open(File&) {
    return std::make_unique<MsmFile>(*this);
}

const IoctlDesc* Driver::find_ioctl(unsigned nr) const {
    return nr < uapi::kMsmIoctlCount && kIoctls[nr].run ? &kIoctls[nr] : nullptr;
}

MsmFile::MsmFile(Driver& driver) : driver_(driver) {
    // Queue 0 has the middle priority.
    (void)add_queue(0, driver.info().rings * kPrioritiesPerRing / 2);
}

MsmFile::~MsmFile() {
    if (group_) {
        group_->destroy();
        driver_.scheduler().remove(group_.get());
    }
    for (const auto& weak : binds_)
        if (const auto binds = weak.lock()) binds->cancel(-ECANCELED);
}

void MsmFile::object_closed(const std::shared_ptr<BufferObject>& bo) {
    if (!vm_ || !vm_->has(bo.get())) return;
    std::vector<std::shared_ptr<Fence>> users;
    bo->reservation.collect(true, nullptr, &users);
    (void)wait_fences(driver_.scheduler().domain(), users, INT64_MAX);
    vm_->clear_iova(bo.get());
}

Vm& MsmFile::vm() {
    if (!vm_) vm_ = std::make_shared<Vm>(driver_.info(), !user_manages_vm);
    return *vm_;
}

int MsmFile::group(std::shared_ptr<Group>* out) {
    if (!group_) {
        (void)vm();
        auto group = std::make_shared<Group>(driver_.scheduler(), vm_, driver_.info(), ++driver_.groups,
                                             driver_.current_group);
        if (const int error = group->create(driver_.gpu())) return error;
        if (const int error = driver_.scheduler().add(group)) return error;
        group_ = std::move(group);
    }
    *out = group_;
    return 0;
}

uint32_t MsmFile::add_queue(uint32_t flags, uint32_t priority) {
    auto queue = std::make_shared<SubmitQueue>();
    queue->flags = flags;
    queue->priority = priority;
    if (flags & uapi::kMsmSubmitqueueVmBind) {
        (void)vm();
        queue->binds = std::make_shared<BindQueue>(vm_);
        std::erase_if(binds_, [](const auto& weak) { return weak.expired(); });
        binds_.push_back(queue->binds);
    }
    queues.emplace(next_queue_, std::move(queue));
    return next_queue_++;
}

std::shared_ptr<SubmitQueue> MsmFile::find_queue(uint32_t id) const {
    const auto it = queues.find(id);
    return it == queues.end() ? nullptr : it->second;
}

MsmFile& ioctls::own(File& file) {
    return static_cast<MsmFile&>(*file.driver_file);
}

std::shared_ptr<Device> create_device(const GpuInfo& info, std::unique_ptr<Gpu> gpu,
                                      SchedulerOptions options) {
    try {
        auto device = Device::create();
        if (!device) return nullptr;
        device->set_driver(std::make_unique<Driver>(*device, info, std::move(gpu), std::move(options)));
        return device;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

}  // namespace terrazzo::winsys::virt::msm
