// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A program that sends the virtual kernel requests, which a fuzz target's input chooses: requests whose words
// are small numbers, sizes, flags or pointers, and words that are written where those pointers lead. A
// derived class has what is specific to a kernel driver.
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
    std::span<const uint32_t> strides;  // sizes of structs in arrays: eight, some of them wrong
    unsigned long tells_offset = 0;     // the request that returns an offset for mmap ...
    size_t offset_at_B = 0;             // ... and where the offset is in its argument
};

class IoctlProgram {
  public:
    IoctlProgram(std::shared_ptr<terrazzo::winsys::virt::Device> device, const IoctlVendor& vendor, Bytes in);
    virtual ~IoctlProgram();
    IoctlProgram(const IoctlProgram&) = delete;
    IoctlProgram& operator=(const IoctlProgram&) = delete;
    void run();

  protected:
    /// A new file with a few objects. False: an ordinary request was refused.
    virtual bool open() = 0;
    /// Changes a driver's requests so that they neither wait nor use up the machine's memory.
    virtual void tame(unsigned long request, uint8_t* arguments) = 0;
    /// Where the request's argument has the descriptor that it returns. Null: it returns none.
    virtual const uint8_t* given_descriptor(unsigned long /*request*/, const uint8_t* /*arguments*/) {
        return nullptr;
    }
    [[nodiscard]] int descriptor() { return fds_.empty() ? -1 : fds_[in_.u8() % fds_.size()]; }
    /// Opens the render node again, and creates syncobjs 1 and 2 (signalled) in it.
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

/// The most bytes of an object, so that the machine's memory is not used up.
inline constexpr uint64_t kMaxObject_B = 16 << 20;

}  // namespace fuzz
