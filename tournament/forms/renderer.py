"""Forms look the same everywhere: label, help, control, error at its field, summary on top."""

from django.forms.renderers import TemplatesSetting


class LodestarRenderer(TemplatesSetting):
    form_template_name = "includes/form.html"
    field_template_name = "includes/field.html"
