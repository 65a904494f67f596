package dev.berth.agent.runtimes.admin;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.berth.api.Problem;
import java.util.List;

/// Answers of the agent, one line of JSON each; the last one is not a progress message.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "answer")
@JsonSubTypes({
  @JsonSubTypes.Type(value = AdminAnswer.Progress.class, name = "progress"),
  @JsonSubTypes.Type(value = AdminAnswer.Services.class, name = "services"),
  @JsonSubTypes.Type(value = AdminAnswer.Images.class, name = "images"),
  @JsonSubTypes.Type(value = AdminAnswer.Done.class, name = "done"),
  @JsonSubTypes.Type(value = AdminAnswer.Refused.class, name = "refused")
})
public sealed interface AdminAnswer {
  record Progress(String text) implements AdminAnswer {}

  record Services(List<ServiceEntry> services, List<Problem> problems) implements AdminAnswer {
    public Services {
      services = List.copyOf(services);
      problems = List.copyOf(problems);
    }
  }

  /// The images of all image services.
  ///
  /// @param problems services that do not answer
  record Images(List<ImageEntry> images, List<Problem> problems) implements AdminAnswer {
    public Images {
      images = List.copyOf(images);
      problems = List.copyOf(problems);
    }
  }

  record Done(String text) implements AdminAnswer {}

  record Refused(List<Problem> problems) implements AdminAnswer {
    public Refused {
      problems = List.copyOf(problems);
    }
  }
}
