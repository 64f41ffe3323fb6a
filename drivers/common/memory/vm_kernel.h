// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory of kernel drivers with explicit address spaces (VMs) and synchronous VM_BIND requests: panthor,
// asahi. A file has one VM. Objects are private to it unless they are shareable. `Requests` are the vendor's:
//   struct Create, Bind, BindOp, MmapOffset, VmDestroy     of the kernel. Create has size, flags, the VM that
//                                                          the object is private to (0: none), and handle;
//                                                          VmDestroy begins with the VM. Bind has vm_id, and
//                                                          the array of BindOps: as one member `ops`, or as
//                                                          num_binds, stride and userptr
//   static constexpr unsigned long kCreate, kBind, kMmapOffset, kVmDestroy
//   static constexpr uint32_t kPrivate, kHidden            flags of Create: private; never mapped for the CPU
//   static constexpr kHandle, kVa, kSize                   members of BindOp
//   static constexpr uint32_t kMap, kUnmap                 flags of BindOp
//   static constexpr uint32_t kWritable, kReadOnly, kNotExecutable    added to kMap for the GPU's access
#pragma once

#include "drivers/common/memory/bo.h"
#include "drivers/common/memory/kernel.h"

namespace terrazzo::memory {

template <class Requests>
class VmKernel : public Kernel {
  public:
    ~VmKernel() override {
        typename Requests::VmDestroy args{vm_id_};
        if (vm_id_) (void)drm().ioctl(Requests::kVmDestroy, &args);
    }
    [[nodiscard]] uint32_t vm_id() const { return vm_id_; }

    [[nodiscard]] bool create_object(uint32_t flags, uint64_t* size_B, uint32_t* handle) final {
        // Objects that only this VM uses need no fences of other drivers.
        const bool is_private = !(flags & bo_flag::kShareable);
        const uint32_t hidden = flags & bo_flag::kNoCpu ? Requests::kHidden : 0;
        typename Requests::Create args{*size_B, (is_private ? Requests::kPrivate : 0) | hidden,
                                       is_private ? vm_id_ : 0, 0, 0};
        if (drm().ioctl(Requests::kCreate, &args) != 0) return false;
        *size_B = args.size;
        *handle = args.handle;
        return true;
    }
    [[nodiscard]] bool bind(uint32_t handle, uint64_t size_B, uint32_t flags, uint64_t* va) final {
        const uint32_t access = (flags & bo_flag::kReadOnly ? Requests::kReadOnly : Requests::kWritable) |
                                (flags & bo_flag::kExecutable ? 0 : Requests::kNotExecutable);
        return run(Requests::kMap | access, handle, size_B, *va);
    }
    [[nodiscard]] bool unbind(uint32_t, uint64_t size_B, uint64_t va) final {
        return run(Requests::kUnmap, 0, size_B, va);
    }
    [[nodiscard]] bool mmap_offset(uint32_t handle, uint64_t* offset_B) final {
        typename Requests::MmapOffset args{};
        args.handle = handle;
        if (drm().ioctl(Requests::kMmapOffset, &args) != 0) return false;
        *offset_B = args.offset;
        return true;
    }

  protected:
    explicit VmKernel(std::unique_ptr<winsys::Drm> drm) : Kernel(std::move(drm), {}) {}
    /// The file's VM, which this object destroys. Called before anything else.
    void set_vm(uint32_t id) { vm_id_ = id; }

  private:
    [[nodiscard]] bool run(uint32_t flags, uint32_t handle, uint64_t size_B, uint64_t va) {
        typename Requests::BindOp op{};
        op.flags = flags;
        op.*Requests::kHandle = handle;
        op.*Requests::kSize = size_B;
        op.*Requests::kVa = va;
        typename Requests::Bind args{};
        args.vm_id = vm_id_;
        if constexpr (requires { args.ops; })
            args.ops = {sizeof op, 1, reinterpret_cast<uintptr_t>(&op)};
        else
            args.num_binds = 1, args.stride = sizeof op, args.userptr = reinterpret_cast<uintptr_t>(&op);
        return drm().ioctl(Requests::kBind, &args) == 0;
    }
    uint32_t vm_id_ = 0;  // 0: none
};

}  // namespace terrazzo::memory
