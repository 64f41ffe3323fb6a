// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Intrusive reference counting for objects that several contexts and batches share.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace terrazzo::pipe {

/// Base of shared objects. A new object has one reference, which its creator passes to Ref<T>::adopt.
class RefCounted {
  public:
    RefCounted() = default;
    RefCounted(const RefCounted&) = delete;
    RefCounted& operator=(const RefCounted&) = delete;
    void add_ref() const { count_.fetch_add(1, std::memory_order_relaxed); }
    void release() const {
        if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
    }
    /// For tables that hold no reference. False: the last reference is gone, and the object is being
    /// destroyed.
    [[nodiscard]] bool try_add_ref() const {
        uint32_t count = count_.load(std::memory_order_relaxed);
        while (count != 0)
            if (count_.compare_exchange_weak(count, count + 1, std::memory_order_acquire)) return true;
        return false;
    }
    /// True if the caller has the only reference: a hint that storage can be reused without a wait.
    [[nodiscard]] bool unique() const { return count_.load(std::memory_order_acquire) == 1; }

  protected:
    virtual ~RefCounted() = default;

  private:
    mutable std::atomic<uint32_t> count_{1};
};

template <class T>
class Ref {
  public:
    Ref() = default;
    Ref(std::nullptr_t) {}
    /// Adds a reference.
    explicit Ref(T* p) : p_(p) {
        if (p_) p_->add_ref();
    }
    Ref(const Ref& o) : Ref(o.p_) {}
    template <class U>
    Ref(const Ref<U>& o) : Ref(static_cast<T*>(o.get())) {}
    Ref(Ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
    template <class U>
    Ref(Ref<U>&& o) noexcept : p_(o.leak()) {}
    Ref& operator=(Ref o) noexcept {
        std::swap(p_, o.p_);
        return *this;
    }
    ~Ref() {
        if (p_) p_->release();
    }
    /// Takes over the caller's reference (to a new object).
    [[nodiscard]] static Ref adopt(T* p) {
        Ref r;
        r.p_ = p;
        return r;
    }
    /// Passes the reference to the caller.
    [[nodiscard]] T* leak() { return std::exchange(p_, nullptr); }
    [[nodiscard]] T* get() const { return p_; }
    T* operator->() const { return p_; }
    T& operator*() const { return *p_; }
    explicit operator bool() const { return p_; }
    bool operator==(const Ref& o) const { return p_ == o.p_; }

  private:
    T* p_ = nullptr;
};

}  // namespace terrazzo::pipe
