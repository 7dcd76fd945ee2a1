/// A loop of kernels as a CUDA graph whose condition lies in device memory: no host between bodies.
#pragma once

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
  explicit GraphExec(cudaGraph_t graph) {
    check_cuda(cudaGraphInstantiate(&exec_, graph, 0), "cudaGraphInstantiate", "V-FPI loop");
  }
  GraphExec(GraphExec&& other) noexcept : exec_(std::exchange(other.exec_, nullptr)) {}
  GraphExec& operator=(GraphExec&& other) noexcept {
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
    if (exec_ == nullptr) throw RuntimeError("V-FPI loop: there is no graph to launch");
    check_cuda(cudaGraphLaunch(exec_, stream), "cudaGraphLaunch", "V-FPI loop");
  }

 private:
  cudaGraphExec_t exec_ = nullptr;
};

/// A launcher (kernels/vfpi/schedule.hpp) that records two graphs: what comes before the loop, and
/// the loop. Needs CUDA 12.4's conditional nodes of the driver.
class GraphRecorder {
 public:
  /// @param n_block  blocks of every launch over items counted in device memory
  GraphRecorder(DeviceStream stream, int n_block) : stream_(stream), n_block_(n_block) {
    check_cuda(cudaGraphCreate(&before_, 0), "cudaGraphCreate", "V-FPI loop");
    check_cuda(cudaGraphCreate(&loop_, 0), "cudaGraphCreate", "V-FPI loop");
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
               "cudaGraphConditionalHandleCreate", "V-FPI loop");
    cudaGraphNodeParams parameters{};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = cudaGraphCondTypeWhile;
    parameters.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
    check_cuda(cudaGraphAddNode(&node, loop_, nullptr, nullptr, 0, &parameters), "cudaGraphAddNode",
               "V-FPI loop");
#else
    check_cuda(cudaGraphAddNode(&node, loop_, nullptr, 0, &parameters), "cudaGraphAddNode",
               "V-FPI loop");
#endif
    begin(parameters.conditional.phGraph_out[0]);
    body();
    detail::set_condition<<<1, 1, 0, stream_>>>(handle, condition);
    check_cuda(cudaGetLastError(), "set_condition", "V-FPI loop");
    end();
  }

  GraphExec before() const {
    return GraphExec(before_);
  }
  GraphExec loop() const {
    return GraphExec(loop_);
  }

 private:
  void begin(cudaGraph_t graph) {
    check_cuda(cudaStreamBeginCaptureToGraph(stream_, graph, nullptr, nullptr, 0,
                                             cudaStreamCaptureModeRelaxed),
               "cudaStreamBeginCaptureToGraph", "V-FPI loop");
    recording_ = true;
  }
  void end() {
    cudaGraph_t graph = nullptr;
    recording_ = false;
    check_cuda(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture", "V-FPI loop");
  }

  DeviceStream stream_;
  int n_block_;
  bool recording_ = false;
  cudaGraph_t before_ = nullptr, loop_ = nullptr;
};

}  // namespace nodia
