import ArgumentParser
import Configuration

extension SidecarNames: ExpressibleByArgument {}
