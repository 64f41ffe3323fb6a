// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A program that sends the virtual kernel requests which a fuzz target's input makes: requests whose words are small numbers, sizes,
// flags or pointers, and words put where those pointers point. What is one kernel driver's comes from a derived class.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tests/fuzz/bytes.h"
#include "winsys/uapi/drm.h"
#include "winsys/virtual/files/file.h"

namespace fuzz {

/// A kernel driver's part.
struct IoctlVendor {
    std::span<const unsigned long> requests;
    std::span<const uint32_t> strides;  // sizes of structs that arrays hold: eight, some of them wrong
    unsigned long tells_offset = 0;     // the request that gives an offset for mmap ...
    size_t offset_at_B = 0;             // ... and where in its argument
};

class IoctlProgram {
  public:
    IoctlProgram(std::shared_ptr<terrazzo::winsys::virt::Device> device, const IoctlVendor& vendor, Bytes in);
    virtual ~IoctlProgram();
    IoctlProgram(const IoctlProgram&) = delete;
    IoctlProgram& operator=(const IoctlProgram&) = delete;
    void run();

  protected:
    /// A fresh file with something to name. False: a plain request was refused.
    virtual bool open() = 0;
    /// Makes the driver's own requests what a fuzzer can use: none that wait, or eat the machine.
    virtual void tame(unsigned long request, uint8_t* arguments) = 0;
    /// Where in its argument a request puts the descriptor that it gives out; null: it gives none.
    virtual const uint8_t* given_descriptor(unsigned long /*request*/, const uint8_t* /*arguments*/) {
        return nullptr;
    }
    [[nodiscard]] int descriptor() { return fds_.empty() ? -1 : fds_[in_.u8() % fds_.size()]; }
    /// Opens a render node anew, and syncobjs 1 and 2 (signalled) in it.
    bool open_file();
    template <class T>
    static T* as(uint8_t* arguments) {
        return reinterpret_cast<T*>(arguments);
    }

    Bytes in_;
    std::unique_ptr<terrazzo::winsys::virt::File> file_;

  private:
    void must_open();
    void step();
    void request();
    void descriptor_request();
    void map();
    uint64_t word();
    void tame_core(unsigned long request, uint8_t* arguments);

    const IoctlVendor& vendor_;
    std::shared_ptr<terrazzo::winsys::virt::Device> device_;
    std::vector<int> fds_;
    uint64_t last_offset_ = 0;
};

/// Of an object's memory, so that the machine is not eaten.
inline constexpr uint64_t kMaxObject_B = 16 << 20;

}  // namespace fuzz
