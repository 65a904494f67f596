package dev.berth.vm.guest;

/// Standard input of a container.
///
/// @param output over once its end was sent, and with the channel
record InputChannel(ChannelOutput output) implements GuestChannel {
  @Override
  public void reset() {
    output.stop("the program takes no input any more");
  }

  @Override
  public void disconnected(ConnectionEnd reason) {
    output.stop(reason.problem().toString());
  }
}
