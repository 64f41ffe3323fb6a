// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The connection to an X server that all windows of a platform share: what the server can do, and its events.
//
// Window ids are the server's, not a connection's, so Terrazzo talks over a connection of its own and never touches the
// application's. It is opened once: a sandboxed program may connect no more when it makes its windows.
#pragma once

#include <xcb/xcb.h>

#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace terrazzo::winsys {

template <class T>
struct XFree {
    void operator()(T* p) const { std::free(p); }
};
/// What XCB allocates: replies, events, errors.
template <class T>
using XReply = std::unique_ptr<T, XFree<T>>;

/// Versions count 100 * major + minor. 0: the server lacks the extension, or we cannot use it here.
struct X11Extensions {
    uint32_t dri3 = 0, present = 0, shm = 0;
    uint8_t present_opcode = 0;
    /// Why windows' buffers cannot be shared (`dri3` is 0), and why not even a copy's memory can (`shm` is 0).
    std::string why_no_dri3, why_no_shm;
    uint64_t gpu = 0;  // the device number of the node that DRI3 opens; 0: unknown
};

/// Hears what the server says of a window. Called with the connection's mutex held.
class X11Listener {
  public:
    virtual ~X11Listener() = default;
    virtual void on_destroyed() = 0;
    /// One of the Present extension.
    virtual void on_present_event(const xcb_ge_generic_event_t& event) = 0;
    /// Of a request whose errors nobody else reads, perhaps not about this window: see its sequence number.
    virtual void on_error(const xcb_generic_error_t& error) = 0;
};

/// Thread: any.
class X11Connection {
  public:
    /// False: `why` says the reason.
    [[nodiscard]] bool connect(std::string* why);
    ~X11Connection();
    [[nodiscard]] bool alive() const { return !xcb_connection_has_error(c); }

    /// Hands on the events that have arrived; to be called after each reply that was waited for, as events came with it.
    void dispatch();
    /// Until `done()`, which is asked with the lock held: waits for events and hands them on. False: the connection broke.
    template <class F>
    [[nodiscard]] bool wait_until(std::unique_lock<std::mutex>& lock, F&& done) {
        for (;;) {
            dispatch_locked();
            if (done()) return alive();
            if (!alive()) return false;
            wait_for_events(lock);
        }
    }

    xcb_connection_t* c = nullptr;
    xcb_screen_t* screen = nullptr;
    X11Extensions extensions;
    std::mutex mutex;
    std::unordered_map<xcb_window_t, X11Listener*>
        windows;  // that have a Window; null: it listens to nothing

  private:
    bool dispatch_locked();
    void hand_on(const xcb_generic_event_t& event);
    void wait_for_events(std::unique_lock<std::mutex>& lock);
    void query_extensions();
    void query_gpu();

    int wake_fd_ = -1;      // written to when another thread has taken events from the socket
    bool reading_ = false;  // a thread waits at the socket; the others wait for it
    std::condition_variable events_came_;
};

}  // namespace terrazzo::winsys
