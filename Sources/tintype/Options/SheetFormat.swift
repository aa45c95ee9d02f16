import ArgumentParser
import Sheets

/// The formats of contact sheets.
enum SheetFormat: String, ExpressibleByArgument, CaseIterable {
  case pdf, html, png
}

extension SheetPaper: ExpressibleByArgument {}
