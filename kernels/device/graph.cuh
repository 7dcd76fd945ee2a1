/// A loop of kernels as a CUDA graph whose condition lies in device memory: no host between bodies.
#pragma once

#include <string>
#include <utility>

#include "kernels/device/phase_launch.cuh"
#include "kernels/launch/loop_condition.hpp"

namespace nodia {

namespace detail {

static __global__ void set_condition(cudaGraphConditionalHandle handle, LoopCondition* condition) {
  cudaGraphSetConditional(handle, another_body(condition) ? 1U : 0U);
}

}  // namespace detail

/// Graph ready to run.
class GraphExec {
 public:
  GraphExec(const char* what, cudaGraph_t graph) : what_(what) {
    check_cuda(cudaGraphInstantiate(&exec_, graph, 0), "cudaGraphInstantiate", what_);
  }
  GraphExec(GraphExec&& other) noexcept
      : what_(other.what_), exec_(std::exchange(other.exec_, nullptr)) {}
  GraphExec& operator=(GraphExec&& other) noexcept {
    std::swap(what_, other.what_);
    std::swap(exec_, other.exec_);
    return *this;
  }
  GraphExec(const GraphExec&) = delete;
  GraphExec& operator=(const GraphExec&) = delete;
  ~GraphExec() {
    if (exec_ != nullptr) static_cast<void>(cudaGraphExecDestroy(exec_));
  }
  /// Throws RuntimeError where the graph was moved away.
  void launch(DeviceStream stream) const {
    if (exec_ == nullptr) throw RuntimeError(std::string(what_) + ": there is no graph to launch");
    check_cuda(cudaGraphLaunch(exec_, stream), "cudaGraphLaunch", what_);
  }

 private:
  const char* what_;
  cudaGraphExec_t exec_ = nullptr;
};

/// A launcher that records two graphs: what comes before the loop, and the loop. Needs CUDA 12.4's
/// conditional nodes of the driver.
class GraphRecorder {
 public:
  /// @param what     the loop's name, in errors
  /// @param n_block  blocks of every launch over items counted in device memory
  GraphRecorder(const char* what, DeviceStream stream, int n_block)
      : what_(what), stream_(stream), n_block_(n_block) {
    check_cuda(cudaGraphCreate(&before_, 0), "cudaGraphCreate", what_);
    check_cuda(cudaGraphCreate(&loop_, 0), "cudaGraphCreate", what_);
    begin(before_);
  }
  GraphRecorder(const GraphRecorder&) = delete;
  GraphRecorder& operator=(const GraphRecorder&) = delete;
  ~GraphRecorder() {
    if (recording_) {
      cudaGraph_t ignored = nullptr;
      static_cast<void>(cudaStreamEndCapture(stream_, &ignored));
    }
    static_cast<void>(cudaGraphDestroy(before_));
    static_cast<void>(cudaGraphDestroy(loop_));
  }

  template <class Kernel>
  void launch(const char* name, const Kernel& kernel, int n_item) {
    launch_phases(name, kernel, n_item, nullptr, n_item, stream_);
  }
  template <class Kernel>
  void launch(const char* name, const Kernel& kernel, const std::int32_t* n_item) {
    launch_phases(name, kernel, 0, n_item, n_block_, stream_);
  }

  /// Once, as the last: body() while the condition says so, decided on the device. The first body
  /// is unconditional.
  template <class Body>
  void repeat_while(LoopCondition* condition, const Body& body) {
    end();
    cudaGraphConditionalHandle handle{};
    check_cuda(cudaGraphConditionalHandleCreate(&handle, loop_, 1, cudaGraphCondAssignDefault),
               "cudaGraphConditionalHandleCreate", what_);
    cudaGraphNodeParams parameters{};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = cudaGraphCondTypeWhile;
    parameters.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
    check_cuda(cudaGraphAddNode(&node, loop_, nullptr, nullptr, 0, &parameters), "cudaGraphAddNode",
               what_);
#else
    check_cuda(cudaGraphAddNode(&node, loop_, nullptr, 0, &parameters), "cudaGraphAddNode", what_);
#endif
    begin(parameters.conditional.phGraph_out[0]);
    body();
    detail::set_condition<<<1, 1, 0, stream_>>>(handle, condition);
    check_cuda(cudaGetLastError(), "set_condition", what_);
    end();
  }

  GraphExec before() const {
    return GraphExec(what_, before_);
  }
  GraphExec loop() const {
    return GraphExec(what_, loop_);
  }

 private:
  void begin(cudaGraph_t graph) {
    check_cuda(cudaStreamBeginCaptureToGraph(stream_, graph, nullptr, nullptr, 0,
                                             cudaStreamCaptureModeRelaxed),
               "cudaStreamBeginCaptureToGraph", what_);
    recording_ = true;
  }
  void end() {
    cudaGraph_t graph = nullptr;
    recording_ = false;
    check_cuda(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture", what_);
  }

  const char* what_;
  DeviceStream stream_;
  int n_block_;
  bool recording_ = false;
  cudaGraph_t before_ = nullptr, loop_ = nullptr;
};

}  // namespace nodia
