// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/memory/child_memory.h"

#include <pthread.h>
#include <sys/mman.h>

#include <map>
#include <mutex>
#include <new>

namespace terrazzo::winsys::virt {
namespace {

/// The process' mappings. fork() runs while no thread holds the lock, so that the child finds the list
/// intact.
class Mappings {
  public:
    static Mappings& instance() {
        // Never destroyed: mappings may be unmapped during the program's exit.
        alignas(Mappings) static unsigned char memory[sizeof(Mappings)];
        static Mappings* const mappings = new (memory) Mappings;
        return *mappings;
    }
    void add(void* address, size_t size_B) {
        const std::lock_guard guard(mutex_);
        sizes_.insert_or_assign(address, size_B);
    }
    void remove(void* address) {
        const std::lock_guard guard(mutex_);
        sizes_.erase(address);
    }

  private:
    Mappings() {
        pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                       [] {
                           instance().replace();
                           instance().mutex_.unlock();
                       });
    }
    /// Runs in the child, with system calls alone.
    void replace() {
        for (const auto& [address, size_B] : sizes_)
            (void)mmap(address, size_B, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    }

    std::mutex mutex_;
    std::map<void*, size_t> sizes_;
};

}  // namespace

bool keep_from_children(void* address, size_t size_B) {
    try {
        Mappings::instance().add(address, size_B);
    } catch (const std::bad_alloc&) {
        return false;
    }
    return true;
}

void forget_children_of(void* address) {
    Mappings::instance().remove(address);
}

}  // namespace terrazzo::winsys::virt
